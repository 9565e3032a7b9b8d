package dev.r2dbcengine.dialect;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Wrapped;
import java.io.Reader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * The differences between databases, as immutable data. Safe for use by several threads; performs no I/O.
 *
 * <p>Dialects are compared by identity: keep a custom dialect in a constant.
 */
public final class Dialect {

    /** H2 through {@code r2dbc-h2}. */
    public static final Dialect H2 = Dialects.h2();

    /** PostgreSQL, and databases with its protocol, through {@code r2dbc-postgresql}. */
    public static final Dialect POSTGRESQL = Dialects.postgresql();

    /** MariaDB through {@code r2dbc-mariadb}. */
    public static final Dialect MARIADB = Dialects.mariadb();

    /** MySQL through {@code io.asyncer:r2dbc-mysql}. */
    public static final Dialect MYSQL = Dialects.mysql();

    /** MariaDB through {@code io.asyncer:r2dbc-mysql}. */
    public static final Dialect MARIADB_BY_MYSQL_DRIVER = Dialects.mariadbByMysqlDriver();

    /** A conservative dialect for any other database: standard SQL and no optional features. */
    public static final Dialect ANSI = builder("ANSI").build();

    private static final List<Dialect> KNOWN = List.of(H2, POSTGRESQL, MARIADB, MYSQL, MARIADB_BY_MYSQL_DRIVER);

    /** A private snapshot, never modified. */
    private final Builder facts;

    private Dialect(Builder builder) {
        this.facts = builder.snapshot();
    }

    /**
     * Returns the dialect of a connection factory, by the name in its metadata.
     *
     * @param metadata the metadata of the factory
     * @return the dialect; {@link #ANSI} for an unknown database
     */
    public static Dialect of(ConnectionFactoryMetadata metadata) {
        return KNOWN.stream()
                .filter(dialect -> dialect.facts.name.equalsIgnoreCase(metadata.getName()))
                .findFirst()
                .orElse(ANSI);
    }

    /**
     * Returns the dialect of a driver, by its name in a database URL: {@code r2dbc:<driver>:…}.
     *
     * @param driver the name of the driver, in any case
     * @return the dialect; {@link #ANSI} for an unknown driver
     */
    public static Dialect ofDriver(String driver) {
        String wanted = driver.toLowerCase(Locale.ROOT);
        return KNOWN.stream()
                .filter(dialect -> dialect.facts.drivers.contains(wanted))
                .findFirst()
                .orElse(ANSI);
    }

    /**
     * Returns the dialect of the server that a connection has reached. {@code r2dbc-mysql} has the same name for MySQL
     * and MariaDB; the version of the server distinguishes them.
     *
     * @param connection the metadata of the connection
     * @return this dialect, or {@link #MARIADB_BY_MYSQL_DRIVER} instead of {@link #MYSQL}
     */
    public Dialect of(ConnectionMetadata connection) {
        return equals(MYSQL) && connection.getDatabaseVersion().contains("MariaDB") ? MARIADB_BY_MYSQL_DRIVER : this;
    }

    /**
     * Returns a builder of a custom dialect, based on standard SQL.
     *
     * @param name the display name
     * @return a builder
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Returns a builder of a custom dialect, based on this one.
     *
     * @return a builder with the settings of this dialect
     */
    public Builder toBuilder() {
        return facts.snapshot();
    }

    /**
     * Returns the display name.
     *
     * @return the name, as the driver's metadata spells it
     */
    public String name() {
        return facts.name;
    }

    /**
     * Returns whether the database supports a feature.
     *
     * @param feature the feature
     * @return true if it does
     */
    public boolean has(Feature feature) {
        return facts.features.contains(feature);
    }

    /**
     * Returns whether the database applies a lexical rule.
     *
     * @param rule the rule
     * @return true if it does
     */
    public boolean has(Syntax rule) {
        return facts.syntax.contains(rule);
    }

    /**
     * Returns whether parameter markers are numbered, so that a repeated parameter is bound once.
     *
     * @return true for {@code $1}, false for {@code ?}
     */
    public boolean numbersMarkers() {
        return facts.marker.endsWith("1");
    }

    /**
     * Returns the marker of a parameter in the driver's text.
     *
     * @param number the number of the parameter, from 1
     * @return {@code $7} or {@code ?}
     */
    public String marker(int number) {
        return numbersMarkers() ? facts.marker.substring(0, facts.marker.length() - 1) + number : facts.marker;
    }

    /**
     * Returns the maximum number of values that one statement can bind.
     *
     * @return the limit, {@link Integer#MAX_VALUE} without one
     */
    public int maxParameters() {
        return facts.maxParameters;
    }

    /**
     * Returns the query that decides whether an insert of several rows treats a NULL as an insert of one row does.
     * Without a strict mode, MariaDB and MySQL refuse a NULL for a {@code NOT NULL} column only in an insert of one row
     * and otherwise replace it.
     *
     * @return a query for one number: 1 if the session treats them alike; empty if every session does
     */
    public String multiRowCheck() {
        return facts.multiRowCheck;
    }

    /**
     * Quotes a name, so that it is taken literally.
     *
     * @param identifier one name, without a qualifier
     * @return the name in quotes, quotes in it doubled
     */
    public String quote(String identifier) {
        String quote = String.valueOf(facts.identifierQuote);
        return quote + identifier.replace(quote, quote + quote) + quote;
    }

    /**
     * Returns the names of columns to return in the form in which the driver takes them.
     *
     * @param columns their names, each in double quotes where it is to be taken literally
     * @return the names for {@link io.r2dbc.spi.Statement#returnGeneratedValues(String...)}
     */
    public String[] returned(List<String> columns) {
        String[] names = new String[columns.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = returned(columns.get(i));
        }
        return names;
    }

    private String returned(String column) {
        if (column.length() < 3 || !column.startsWith("\"") || !column.endsWith("\"")) {
            return column;
        }
        String literal = column.substring(1, column.length() - 1).replace("\"\"", "\"");
        return facts.quirks.contains(Quirk.QUOTES_RETURNED_NAMES) ? literal : quote(literal);
    }

    /**
     * Returns the text that limits the time of one statement.
     *
     * @param limit the time that the statement may take
     * @return the statement text for it; empty where the database has none
     */
    public TimeLimit timeLimit(Duration limit) {
        return facts.timeLimit.of(limit);
    }

    /**
     * Returns the text that sets the isolation level of a session, if the driver does not set it when a transaction
     * begins.
     *
     * @param level the level
     * @return the statement text for it; {@link SessionSetting#NONE} where the driver does it
     */
    public SessionSetting isolation(IsolationLevel level) {
        return facts.isolation.with(level.asSql());
    }

    /**
     * Returns the text that limits lock waits.
     *
     * @param limit the time that one wait may take; rounded up for databases that count in seconds
     * @return the statement text for it; {@link SessionSetting#NONE} where the database has none
     */
    public SessionSetting lockWaitTimeout(Duration limit) {
        return facts.lockWait.with(limit);
    }

    /**
     * Converts a value to bind if the driver does not accept its type.
     *
     * @param value a value to bind
     * @return the value itself or the converted value
     */
    public Object encode(Object value) {
        Encoding<?, ?> encoding = facts.encodings.get(value.getClass());
        return encoding == null ? value : encoding.encode(value);
    }

    /**
     * Returns the type to which {@link #encode(Object)} converts, for binding null.
     *
     * @param type the type of a value to bind
     * @return the type itself or the converted type
     */
    public Class<?> encode(Class<?> type) {
        Encoding<?, ?> encoding = facts.encodings.get(type);
        return encoding == null ? type : encoding.as();
    }

    /**
     * Converts a value that was read, where the driver's own conversion is wrong or missing.
     *
     * @param value a value returned by the driver
     * @param type the type to convert it to
     * @return the converted value; null if the dialect has no conversion for these types
     */
    public @Nullable Object decode(Object value, Class<?> type) {
        Encoding<?, ?> decoding = facts.decodings.get(type);
        return decoding != null && decoding.type().isInstance(value) ? decoding.encode(value) : null;
    }

    /**
     * Returns the type from which {@link #decode(Object, Class)} converts.
     *
     * @param type the type to convert to
     * @return the type from which the dialect converts; the type itself if the driver converts
     */
    public Class<?> decode(Class<?> type) {
        Encoding<?, ?> decoding = facts.decodings.get(type);
        return decoding == null ? type : decoding.type();
    }

    /**
     * Returns what to bind instead of a type that the driver does not take.
     *
     * @param type the type of a value to bind
     * @return the advice; empty when there is none for that type
     */
    public String advice(Class<?> type) {
        return facts.advice.getOrDefault(type, "");
    }

    /**
     * Adds the options with which the driver opens sessions as the dialect needs them: see {@link
     * Builder#sessionOption(String, String, String)}.
     *
     * @param given the options of a database URL
     * @return those options, and the missing ones
     * @throws IllegalArgumentException when an option is given with a value that the dialect does not accept; the message
     *     says which
     */
    public ConnectionFactoryOptions withSessionOptions(ConnectionFactoryOptions given) {
        ConnectionFactoryOptions.Builder all = given.mutate();
        facts.sessionOptions.forEach(option -> option.addTo(all, given));
        return all.build();
    }

    /**
     * Classifies an exception by its vendor code, its SQLSTATE, the SQLSTATE class, and its type, in this order. Causes
     * are searched as well.
     *
     * @param failure an exception, of a driver or not
     * @return the kind, {@link ErrorKind#OTHER} if it cannot be classified
     */
    public ErrorKind kindOf(@Nullable Throwable failure) {
        return facts.errors.kindOf(failure);
    }

    /**
     * Returns a lexer for a text.
     *
     * @param sql the text
     * @return a lexer before the first token
     */
    public SqlLexer lexer(String sql) {
        return SqlLexer.of(this, sql);
    }

    /**
     * Returns a lexer that reads a script incrementally. The caller closes the reader. A carriage return alone ends a
     * comment, also where the server would read on to a line feed: its token is followed by a line feed.
     *
     * @param sql the reader of the script; reading may block
     * @return a lexer before the first token
     */
    public SqlLexer lexer(Reader sql) {
        return SqlLexer.of(this, sql);
    }

    /**
     * Rewrites a statement without parameters for a {@link io.r2dbc.spi.Batch}: its meaning is unchanged, and the
     * driver's own parser ({@link Quirk}) finds no parameter and no statement separator in it.
     *
     * @param statement the statement; a colon before a name is just a colon, and {@code $1} is the database's own
     * @return the text for the driver
     * @throws SqlSyntaxException when the text ends inside a quote or a comment
     */
    public String forBatch(String statement) {
        SqlLexer lexer = SqlLexer.of(this, new DriverText(batchQuirks()), statement);
        StringBuilder out = new StringBuilder(statement.length());
        boolean marked = false;
        for (SqlToken token = lexer.next(); token != SqlToken.END; token = lexer.next()) {
            marked |= token == SqlToken.MARKER;
            lexer.appendForDriver(out);
        }
        return marked ? facts.wrapper.apply(out.toString()) : out.toString();
    }

    private Set<Quirk> batchQuirks() {
        Set<Quirk> inBatches = new HashSet<>(facts.quirks);
        inBatches.remove(Quirk.CUTS_AT_SEMICOLONS);
        return inBatches;
    }

    /**
     * Returns whether a statement of a script runs in a transaction.
     *
     * @param words its first words, separated by single spaces, in any case, without comments
     * @param majorVersion the first number of the server's version
     * @return {@link InTransaction#YES} if no rule matches
     */
    public InTransaction transactional(String words, int majorVersion) {
        for (TransactionRule rule : facts.transactionRules) {
            if (rule.fits(words, majorVersion)) {
                return rule.answer();
            }
        }
        return InTransaction.YES;
    }

    /**
     * Sends a cancel request for the running statement of a connection.
     *
     * @param connection the connection, possibly wrapped
     * @return a cold publisher that completes when the database has accepted the request; null if the driver does not
     *     support it
     */
    public @Nullable Publisher<Void> cancel(Connection connection) {
        return facts.cancel.apply(unwrap(connection));
    }

    /**
     * Returns a query for one value: whether the server accepts writes.
     *
     * @return the text; empty if the database has no replicas
     */
    public String primary() {
        return facts.primary;
    }

    /**
     * Returns a query for the session of a connection: one row of a text that identifies the server, and the id of the
     * session.
     *
     * @return the text; empty if sessions are not cancelled by id
     */
    public String session() {
        return facts.session;
    }

    /**
     * Returns a statement that cancels the running statement of a session when it is run on another connection to the
     * same server.
     *
     * @param session the id of the session, from the query {@link #session()}
     * @return the text
     */
    public String kill(String session) {
        return facts.kill.replace("{session}", session);
    }

    /**
     * Runs a statement that takes its data from the client, as {@code COPY … FROM STDIN} does.
     *
     * @param connection the connection, possibly wrapped
     * @param sql the statement
     * @param data the data in the format that the statement expects
     * @return a cold publisher of the number of rows; null if the driver does not support it
     */
    public @Nullable Publisher<Long> copy(Connection connection, String sql, Publisher<byte[]> data) {
        return facts.copy.copy(unwrap(connection), sql, data);
    }

    /**
     * Returns the SQL text that migrations use for one purpose.
     *
     * @param which the purpose
     * @return the text; empty if the database needs none
     */
    public String migrations(MigrationSql which) {
        return facts.migrations.getOrDefault(which, "");
    }

    /**
     * Describes a failure for a log, without the driver's message, which may contain values.
     *
     * @param failure an exception, of a driver or not
     * @return its type, and its code and SQLSTATE if it has them
     */
    public static String describe(Throwable failure) {
        String type = failure.getClass().getName();
        return failure instanceof R2dbcException reported
                ? type + ", code " + reported.getErrorCode() + ", SQLSTATE " + reported.getSqlState()
                : type;
    }

    /**
     * Unwraps the driver's own connection.
     *
     * @param connection a connection, possibly wrapped
     * @return the innermost one
     */
    public static Connection unwrap(Connection connection) {
        Connection inner = connection;
        while (inner instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection next) {
            inner = next;
        }
        return inner;
    }

    /**
     * Returns whether a connection sends each call when it is subscribed, in order, without waiting for the answers to
     * earlier calls.
     *
     * @param connection the driver's own; a decorator may delay a call
     * @return false if that is not known
     */
    public boolean isPipelined(Connection connection) {
        return connection.getClass().getName().equals(facts.pipelined)
                && (facts.pipelinedText.isEmpty() || connection.toString().startsWith(facts.pipelinedText));
    }

    /**
     * Returns whether the driver sends BEGIN with this isolation level as one call that no server rejects, so that a
     * statement may be sent behind it.
     *
     * @param isolation the isolation level
     * @return false if that is not known
     */
    public boolean alwaysBegins(IsolationLevel isolation) {
        return facts.alwaysBegins.contains(isolation);
    }

    DriverText driverText() {
        return new DriverText(facts.quirks);
    }

    @Override
    public String toString() {
        return facts.name;
    }

    private record Encoding<T, R>(Class<T> type, Class<R> as, Function<? super T, ? extends R> by) {
        Object encode(Object value) {
            return by.apply(type.cast(value));
        }
    }

    /** Sends data to a statement. */
    @FunctionalInterface
    public interface Copy {
        /**
         * Runs a statement that reads its data from the client.
         *
         * @param connection the driver's connection
         * @param sql the statement
         * @param data the data
         * @return the number of rows; null if the connection does not support it
         */
        @Nullable Publisher<Long> copy(Connection connection, String sql, Publisher<byte[]> data);
    }

    /** Builder of a dialect. Not thread-safe. */
    public static final class Builder implements Cloneable {

        private final String name;
        private Set<String> drivers = Set.of();
        private Set<Feature> features = Set.of();
        private Set<Syntax> syntax = Set.of();
        private Set<Quirk> quirks = Set.of();
        private String marker = "?";
        private char identifierQuote = '"';
        private int maxParameters = Integer.MAX_VALUE;
        private String multiRowCheck = "";
        private TimeLimit timeLimit = TimeLimit.NONE;
        private Map<Class<?>, Encoding<?, ?>> encodings = new HashMap<>();
        private Map<Class<?>, Encoding<?, ?>> decodings = new HashMap<>();
        private Map<Class<?>, String> advice = new HashMap<>();
        private List<SessionOption> sessionOptions = new ArrayList<>();
        private ErrorCodes errors = ErrorCodes.STANDARD;
        private List<TransactionRule> transactionRules = new ArrayList<>();
        private UnaryOperator<String> wrapper = UnaryOperator.identity();
        private Function<? super Connection, ? extends @Nullable Publisher<Void>> cancel = connection -> null;
        private String primary = "";
        private String session = "";
        private String kill = "";
        private Copy copy = (connection, sql, data) -> null;
        private Map<MigrationSql, String> migrations = Map.of();
        private SessionSetting isolation = SessionSetting.NONE;
        private SessionSetting lockWait = SessionSetting.NONE;
        private String pipelined = "";
        private String pipelinedText = "";
        private Set<IsolationLevel> alwaysBegins = Set.of();

        private Builder(String name) {
            this.name = name;
        }

        private Builder snapshot() {
            try {
                Builder copy = (Builder) clone();
                copy.encodings = new HashMap<>(encodings);
                copy.decodings = new HashMap<>(decodings);
                copy.advice = new HashMap<>(advice);
                copy.sessionOptions = new ArrayList<>(sessionOptions);
                copy.transactionRules = new ArrayList<>(transactionRules);
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        /**
         * Sets the names of the driver in URLs.
         *
         * @param names the names, in lower case
         * @return this
         */
        public Builder drivers(String... names) {
            this.drivers = Set.copyOf(Arrays.asList(names));
            return this;
        }

        /**
         * Replaces the features.
         *
         * @param can all features of the database
         * @return this
         */
        public Builder features(Feature... can) {
            this.features = Set.copyOf(Arrays.asList(can));
            return this;
        }

        /**
         * Replaces the lexical rules.
         *
         * @param rules all rules that the database has beyond standard SQL
         * @return this
         */
        public Builder syntax(Syntax... rules) {
            this.syntax = Set.copyOf(Arrays.asList(rules));
            return this;
        }

        /**
         * Replaces the quirks of the driver.
         *
         * @param misunderstandings all quirks of the driver
         * @return this
         */
        public Builder quirks(Quirk... misunderstandings) {
            this.quirks = Set.copyOf(Arrays.asList(misunderstandings));
            return this;
        }

        /**
         * Sets the markers of parameters.
         *
         * @param first the marker of the first parameter; if it ends with {@code 1}, the following ones are numbered
         * @return this
         */
        public Builder marker(String first) {
            this.marker = first;
            return this;
        }

        /**
         * Sets the quote of identifiers.
         *
         * @param quote the opening and closing quote
         * @return this
         */
        public Builder identifierQuote(char quote) {
            this.identifierQuote = quote;
            return this;
        }

        /**
         * Limits how many values one statement can bind.
         *
         * @param limit the maximum number
         * @return this
         */
        public Builder maxParameters(int limit) {
            this.maxParameters = limit;
            return this;
        }

        /**
         * Sets the query that decides whether inserts of several rows treat a NULL as inserts of one row do.
         *
         * @param query a query for one number, 1 if they do; default: empty, which means that every session does
         * @return this
         */
        public Builder multiRowCheck(String query) {
            this.multiRowCheck = query;
            return this;
        }

        /**
         * Sets how the time of a statement is limited. In each text {@code {millis}} and {@code {seconds}} stand for
         * the limit: seconds with a fraction in the prefix, whole seconds in the setting.
         *
         * @param text the texts
         * @return this
         */
        public Builder timeLimit(TimeLimit text) {
            this.timeLimit = text;
            return this;
        }

        /**
         * Sets how the isolation level of a session is changed to {@code {value}}.
         *
         * @param text the texts
         * @return this
         */
        public Builder isolation(SessionSetting text) {
            this.isolation = text;
            return this;
        }

        /**
         * Sets how the wait for a lock is limited. {@code {millis}} and {@code {seconds}} stand for the limit.
         *
         * @param text the texts
         * @return this
         */
        public Builder lockWaitTimeout(SessionSetting text) {
            this.lockWait = text;
            return this;
        }

        /**
         * Binds values of one type as values of another.
         *
         * @param type the type that the driver does not accept
         * @param as a type that the driver accepts
         * @param by converts a value
         * @param <T> the type that the driver does not accept
         * @param <R> a type that the driver accepts
         * @return this
         */
        public <T, R> Builder encode(Class<T> type, Class<R> as, Function<? super T, ? extends R> by) {
            encodings.put(type, new Encoding<>(type, as, by));
            return this;
        }

        /**
         * Converts values that were read, instead of the driver.
         *
         * @param type the type that the driver returns
         * @param as the type to convert to
         * @param by converts a value
         * @param <T> the type that the driver returns
         * @param <R> the type to convert to
         * @return this
         */
        public <T, R> Builder decode(Class<T> type, Class<R> as, Function<? super T, ? extends R> by) {
            decodings.put(as, new Encoding<>(type, as, by));
            return this;
        }

        /**
         * Sets the advice for a type that the driver does not accept.
         *
         * @param type the type
         * @param instead what to do, for an error message
         * @return this
         */
        public Builder advice(Class<?> type, String instead) {
            advice.put(type, instead);
            return this;
        }

        /**
         * Adds an option that the sessions of the driver need. An engine sets it if its URL does not, and rejects
         * other values.
         *
         * @param option the name of the option
         * @param value the value to set
         * @param accepted a regular expression for equivalent values, matched in any case
         * @return this
         */
        public Builder sessionOption(String option, String value, String accepted) {
            sessionOptions.add(new SessionOption(option, value, accepted));
            return this;
        }

        /**
         * Sets how the driver cancels a running statement.
         *
         * @param request returns the cancel request for the driver's connection; null if the connection has none
         * @return this
         */
        public Builder cancel(Function<? super Connection, ? extends @Nullable Publisher<Void>> request) {
            this.cancel = request;
            return this;
        }

        /**
         * Sets how a server reports whether it accepts writes.
         *
         * @param query a query of one value, true or 1 if it does
         * @return this
         */
        public Builder primary(String query) {
            this.primary = query;
            return this;
        }

        /**
         * Sets how a running statement is cancelled by a statement on another connection.
         *
         * @param query a query of one row: a text that identifies the server, and the id of the session
         * @param text cancels the statement of the session {@code {session}}
         * @return this
         */
        public Builder kill(String query, String text) {
            this.session = query;
            this.kill = text;
            return this;
        }

        /**
         * Sets the driver's connection that sends each call when it is subscribed, in order, without waiting for the
         * answers to earlier calls.
         *
         * @param connection the name of its class, which may be absent from the class path
         * @param text how the text of such a connection begins, if not all of that class are
         * @param isolation the isolation levels that a begin sends as one call that no server rejects
         * @return this
         */
        public Builder pipelined(String connection, String text, IsolationLevel... isolation) {
            this.pipelined = connection;
            this.pipelinedText = text;
            this.alwaysBegins = Set.of(isolation);
            return this;
        }

        /**
         * Sets how data is sent to a statement.
         *
         * @param by sends the data on the driver's connection
         * @return this
         */
        public Builder copy(Copy by) {
            this.copy = by;
            return this;
        }

        /**
         * Sets the SQL texts of migrations. A database without them cannot be migrated.
         *
         * @param texts the texts by purpose; purposes that the database does not need are absent
         * @return this
         */
        public Builder migrations(Map<MigrationSql, String> texts) {
            this.migrations = Map.copyOf(texts);
            return this;
        }

        /**
         * Sets how a statement is sent that contains a parameter marker of the database, such as {@code $1} in the
         * body of a function, for which the driver would require a value.
         *
         * @param by returns the statement to send
         * @return this
         */
        public Builder wrapMarked(UnaryOperator<String> by) {
            this.wrapper = by;
            return this;
        }

        /**
         * Adds rules about which statements of a script run in a transaction. The first rule that matches applies.
         *
         * @param answer whether the statements run in a transaction
         * @param words regular expressions for the beginning of the statements, matched in any case
         * @return this
         */
        public Builder transactional(InTransaction answer, String... words) {
            return transactionalBefore(Integer.MAX_VALUE, answer, words);
        }

        /**
         * Adds rules for servers before a version; see {@link #transactional}.
         *
         * @param version the first major version to which the rules do not apply
         * @param answer whether the statements run in a transaction
         * @param words regular expressions for the beginning of the statements
         * @return this
         */
        public Builder transactionalBefore(int version, InTransaction answer, String... words) {
            for (String beginning : words) {
                transactionRules.add(TransactionRule.of(beginning, version, answer));
            }
            return this;
        }

        /**
         * Maps SQLSTATEs to an error kind.
         *
         * @param kind the kind
         * @param states five characters each, or two for a whole class
         * @return this
         */
        public Builder sqlStates(ErrorKind kind, String... states) {
            this.errors = errors.withStates(kind, states);
            return this;
        }

        /**
         * Maps vendor error codes to an error kind. Codes take precedence over SQLSTATEs.
         *
         * @param kind the kind
         * @param codes the codes
         * @return this
         */
        public Builder errorCodes(ErrorKind kind, int... codes) {
            this.errors = errors.withCodes(kind, codes);
            return this;
        }

        /**
         * Builds the dialect.
         *
         * @return a new dialect
         */
        public Dialect build() {
            return new Dialect(this);
        }
    }
}
