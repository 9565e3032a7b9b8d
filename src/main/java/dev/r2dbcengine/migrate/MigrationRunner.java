package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.internal.text.TimeSetting;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.migrate.internal.model.MigrationKind;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.plan.MigrationTarget;
import dev.r2dbcengine.migrate.internal.run.BaselineRun;
import dev.r2dbcengine.migrate.internal.run.CallbackPhase;
import dev.r2dbcengine.migrate.internal.run.Callbacks;
import dev.r2dbcengine.migrate.internal.run.CleanRun;
import dev.r2dbcengine.migrate.internal.run.LockedRun;
import dev.r2dbcengine.migrate.internal.run.MigrateRun;
import dev.r2dbcengine.migrate.internal.run.MigrationSettings;
import dev.r2dbcengine.migrate.internal.run.MigrationSnapshot;
import dev.r2dbcengine.migrate.internal.run.PendingStatements;
import dev.r2dbcengine.migrate.internal.run.RepairRun;
import dev.r2dbcengine.migrate.internal.run.RunConnection;
import dev.r2dbcengine.migrate.internal.run.RunSubscriber;
import dev.r2dbcengine.migrate.internal.run.SnapshotReader;
import dev.r2dbcengine.migrate.internal.run.UndoRun;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Migrates the database of an engine with Flyway's files, history table and rules, over R2DBC. Options have the names and the
 * defaults of Flyway 13, unless said otherwise. An immutable value: each method returns a new one, and threads may share it.
 * Cold: nothing is looked at before a run is subscribed, and each subscription is a run.
 *
 * <p><b>{@link #migrate()}</b> looks first: at the history, in one query, and at the files. Only when there is something to do
 * it opens a connection of its own outside the pool, waits for the lock that Flyway takes too, looks again, and applies what is
 * pending. So any number of runs may begin at once, here and in other processes: each migration is applied once. In one JVM the
 * runs on one engine go one at a time.
 *
 * <p>A script and its row in the history are one transaction where the database can roll DDL back (PostgreSQL) and the
 * script runs in one. Elsewhere the row is written first, as failed, and put right in the end: after a failure, a cancel or a
 * kill it stops later runs until {@link #repair()}. The same holds for a script that ends its transaction itself (COMMIT, END,
 * ROLLBACK): from there on its row says failed, until the script has succeeded.
 *
 * <p><b>Cancel.</b> Nothing is cancelled in flight: the statement that runs ends, then the migration is rolled back, be the
 * statement its last one. A migration that cannot be rolled back stays recorded as failed, or is applied when its last statement
 * has ended; and it is applied when its COMMIT has been sent. The {@link MigrationListener} is notified of which it is. Then the
 * lock is released and the connection closed. The subscriber does not wait for it.
 *
 * <p><b>Threads.</b> Files are read on {@code Schedulers.boundedElastic()}, in pieces, however large: once for their
 * checksums, and again when their turn comes; the next one may be read while the one before it runs. Results come on
 * whatever thread they come.
 *
 * <p><b>Errors.</b> What cannot be planned, or does not validate, is an {@link InvalidMigrationException}; a migration that
 * failed, or a lock that was not to be had, a {@link MigrationException}. Others are the driver's, or those of opening the
 * engine.
 *
 * <p><b>Crashes.</b> A run that is killed, or loses its connection, loses the lock with it, and the next one goes on where it
 * was. A connection that is lost while a migration runs is told as a {@link MigrationException} that says, by a look at the
 * history on another connection, what has become of that migration.
 *
 * <p><b>Silence.</b> What a migration asks of the database may take as long as it takes, and so may its COMMIT: a network that
 * swallows everything and tells nobody (a firewall that forgot the connection) is noticed by the operating system, if at all,
 * and sooner with {@code tcpKeepAlive=true} in the URL. Until then the next run on the engine waits for this one.
 *
 * <p><b>Beside Flyway.</b> The lock is Flyway's. Where DDL cannot be rolled back, a Flyway that starts while a migration runs
 * here may take it for failed, since it validates before it has the lock: set its {@code validateOnMigrate} to false there.
 *
 * <p><b>Callbacks.</b> {@link CallbackEvent} tells when scripts such as {@code beforeMigrate.sql}, and code, run: in the
 * order of Flyway's, on the run's connection, in a session as it was at its start and in the default schema, if there is one
 * already. Those of {@code migrate} run although
 * nothing is pending, and that takes the lock, which Flyway does not hold then; a cancelled run has failed for them. Those
 * of {@code validate} and {@code baseline} run on their own, too. After a failed migration they run once it is rolled back,
 * where Flyway lets them fail in the transaction that has failed.
 *
 * <p>Not for use within a unit of work.
 */
public final class MigrationRunner {

    private final Engine engine;
    private final MigrationSettings settings;

    private MigrationRunner(Engine engine, MigrationSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /**
     * A runner with Flyway's defaults.
     *
     * @param engine whose database is migrated
     * @return a runner
     */
    public static MigrationRunner on(Engine engine) {
        return new MigrationRunner(Objects.requireNonNull(engine, "engine"), new MigrationSettings());
    }

    /**
     * Code that runs at events, beside the callback scripts of the {@link #locations}.
     *
     * @param callbacks instead of those before
     * @return a runner with these
     */
    public MigrationRunner callbacks(MigrationCallback... callbacks) {
        return with(copy -> copy.callbacks = List.of(callbacks));
    }

    private MigrationRunner with(Consumer<MigrationSettings> change) {
        MigrationSettings changed = settings.copy();
        change.accept(changed);
        return new MigrationRunner(engine, changed);
    }

    private MigrationRunner naming(UnaryOperator<NamingRules> change) {
        return with(copy -> copy.naming = change.apply(copy.naming));
    }

    private MigrationRunner replacing(UnaryOperator<PlaceholderSettings> change) {
        return with(copy -> copy.placeholders = change.apply(copy.placeholders));
    }

    /**
     * Where the scripts are.
     *
     * @param locations as {@link MigrationLocation} reads them, by default {@code classpath:db/migration}; none leaves only
     *     the {@link #sources}
     * @return a runner with these
     * @throws IllegalArgumentException if one of them is no location
     */
    public MigrationRunner locations(String... locations) {
        List<MigrationLocation> read =
                Stream.of(locations).map(MigrationLocation::of).toList();
        return with(copy -> copy.locations = read);
    }

    /**
     * Further places of migrations: code, or files from elsewhere. Flyway has none.
     *
     * @param sources beside the {@link #locations}, by default none
     * @return a runner with these
     */
    public MigrationRunner sources(MigrationSource... sources) {
        return with(copy -> copy.sources = List.of(sources));
    }

    /**
     * Migrations that are code.
     *
     * @param migrations instead of the {@link #sources}
     * @return a runner with these
     */
    public MigrationRunner migrations(Migration... migrations) {
        return sources(MigrationSource.of(migrations));
    }

    /**
     * The encoding of scripts in the {@link #locations} that do not say theirs.
     *
     * @param encoding by default UTF-8
     * @return a runner with it
     */
    public MigrationRunner encoding(Charset encoding) {
        return with(copy -> copy.encoding = Objects.requireNonNull(encoding, "encoding"));
    }

    /**
     * The history table.
     *
     * @param table by default {@code flyway_schema_history}
     * @return a runner with it
     */
    public MigrationRunner table(String table) {
        return with(copy -> copy.table = Objects.requireNonNull(table, "table"));
    }

    /**
     * The schemas that the migrations are about. The first one is the default schema, unless that is set.
     *
     * @param schemas case-sensitive, by default the current one of the connection
     * @return a runner with these
     */
    public MigrationRunner schemas(String... schemas) {
        return with(copy -> copy.schemas = List.of(schemas));
    }

    /**
     * The schema that holds the history, and that is the current one before each script.
     *
     * @param schema case-sensitive, by default the first of the {@link #schemas}
     * @return a runner with it
     */
    public MigrationRunner defaultSchema(String schema) {
        return with(copy -> copy.defaultSchema = Objects.requireNonNull(schema, "schema"));
    }

    /**
     * Whether schemas that are missing are created, together with the history.
     *
     * @param on by default true
     * @return a runner that does so or not
     */
    public MigrationRunner createSchemas(boolean on) {
        return with(copy -> copy.createSchemas = on);
    }

    /**
     * How far to go. It does not stop repeatable migrations.
     *
     * @param target a version; {@code 1.2?} for one that need not be there; {@code current}, {@code next} or, by default,
     *     {@code latest}
     * @return a runner that stops there
     * @throws IllegalArgumentException if it is no version and none of these words
     */
    public MigrationRunner target(String target) {
        return with(copy -> copy.plan = copy.plan.target(target));
    }

    /**
     * Whether migrations below the newest applied one are applied.
     *
     * @param on by default false: they are a problem of validation
     * @return a runner that does so or not
     */
    public MigrationRunner outOfOrder(boolean on) {
        return with(copy -> copy.plan = copy.plan.outOfOrder(on));
    }

    /**
     * Whether a run validates first. A migration that has failed stops it anyway.
     *
     * @param on by default true
     * @return a runner that does so or not
     */
    public MigrationRunner validateOnMigrate(boolean on) {
        return with(copy -> copy.validateOnMigrate = on);
    }

    /**
     * Whether a schema that has objects but no history is taken to be at the baseline version. As with Flyway, a history that
     * is there and empty begins at none, nor does one that {@link #skipExecutingMigrations} writes.
     *
     * @param on by default false: it is an error
     * @return a runner that does so or not
     */
    public MigrationRunner baselineOnMigrate(boolean on) {
        return with(copy -> copy.baselineOnMigrate = on);
    }

    /**
     * The version of a baseline.
     *
     * @param version by default 1
     * @return a runner with it
     * @throws IllegalArgumentException if it is no version
     */
    public MigrationRunner baselineVersion(String version) {
        MigrationVersion read = MigrationVersion.of(version);
        return with(copy -> copy.baselineVersion = read);
    }

    /**
     * The description of a baseline.
     *
     * @param description by default Flyway's
     * @return a runner with it
     */
    public MigrationRunner baselineDescription(String description) {
        return with(copy -> copy.baselineDescription = Objects.requireNonNull(description, "description"));
    }

    /**
     * What stands for what in scripts. {@code flyway:defaultSchema}, {@code flyway:user}, {@code flyway:database}, {@code
     * flyway:timestamp}, {@code flyway:filename} and {@code flyway:table} are given. Beyond Flyway, <code>${}name}</code> is
     * the text <code>${name}</code>.
     *
     * @param values by name, without regard to case; instead of those set before
     * @return a runner with these
     */
    public MigrationRunner placeholders(Map<String, String> values) {
        Map<String, String> kept = Map.copyOf(values);
        return replacing(placeholders -> placeholders.values(kept));
    }

    /**
     * Whether placeholders are replaced, in scripts that do not say so themselves.
     *
     * @param on by default true
     * @return a runner that does so or not
     */
    public MigrationRunner placeholderReplacement(boolean on) {
        return replacing(placeholders -> placeholders.replaces(on));
    }

    /**
     * What a placeholder begins with.
     *
     * @param prefix by default <code>${</code>
     * @return a runner with it
     * @throws IllegalArgumentException if it is empty
     */
    public MigrationRunner placeholderPrefix(String prefix) {
        String checked = notEmpty(prefix, "placeholder prefix");
        return replacing(placeholders -> placeholders.prefix(checked));
    }

    /**
     * What a placeholder ends with.
     *
     * @param suffix by default <code>}</code>
     * @return a runner with it
     * @throws IllegalArgumentException if it is empty
     */
    public MigrationRunner placeholderSuffix(String suffix) {
        String checked = notEmpty(suffix, "placeholder suffix");
        return replacing(placeholders -> placeholders.suffix(checked));
    }

    /**
     * What the names of versioned scripts begin with.
     *
     * @param prefix default: {@code V}; may be empty: {@code 1__a.sql}. The longest prefix that fits a name counts
     * @return a runner with it
     */
    public MigrationRunner sqlMigrationPrefix(String prefix) {
        return naming(rules -> rules.prefix(MigrationKind.VERSIONED, prefix));
    }

    /**
     * What the names of repeatable scripts begin with.
     *
     * @param prefix default: {@code R}; may be empty: {@code __a.sql}. The longest prefix that fits a name counts
     * @return a runner with it
     */
    public MigrationRunner repeatableSqlMigrationPrefix(String prefix) {
        return naming(rules -> rules.prefix(MigrationKind.REPEATABLE, prefix));
    }

    /**
     * What the names of baseline scripts begin with.
     *
     * @param prefix default: {@code B}; may be empty: {@code 1__a.sql}. The longest prefix that fits a name counts
     * @return a runner with it
     */
    public MigrationRunner baselineMigrationPrefix(String prefix) {
        return naming(rules -> rules.prefix(MigrationKind.BASELINE, prefix));
    }

    /**
     * What parts version and description in the names of scripts.
     *
     * @param separator by default {@code __}
     * @return a runner with it
     * @throws IllegalArgumentException if it is empty
     */
    public MigrationRunner sqlMigrationSeparator(String separator) {
        return naming(rules -> rules.separator(notEmpty(separator, "separator")));
    }

    /**
     * What the names of scripts end with.
     *
     * @param suffixes without regard to case, by default {@code .sql}
     * @return a runner with these
     * @throws IllegalArgumentException if there is none
     */
    public MigrationRunner sqlMigrationSuffixes(String... suffixes) {
        if (suffixes.length == 0) {
            throw new IllegalArgumentException("No suffix: name at least one, such as .sql");
        }
        return naming(rules -> rules.suffixes(suffixes));
    }

    /**
     * Whether a SQL file without the name of a migration is an error, and a file with such a name but without a suffix. A file
     * that has a versioned prefix but no version ({@code V2_x.sql}) always is.
     *
     * @param on default: false, which logs a warning
     * @return a runner that does so or not
     */
    public MigrationRunner validateMigrationNaming(boolean on) {
        return naming(rules -> rules.strict(on));
    }

    /**
     * Whether a script may hold statements that cannot run in a transaction beside others; it runs outside of one then.
     *
     * @param on by default false: it is an error
     * @return a runner that does so or not
     */
    public MigrationRunner mixed(boolean on) {
        return with(copy -> copy.mixed = on);
    }

    /**
     * Whether all that is pending is one transaction: all of it is applied, or nothing. That takes a database that can roll
     * DDL back; elsewhere (H2, MariaDB) each migration is applied and recorded alone, as without the option. As with
     * Flyway, migrations that cannot run in a transaction and others are an error in one group; with {@link #mixed} all of
     * it runs outside of one then. A listener is told what became of the migrations when the group is over.
     *
     * @param on by default false
     * @return a runner that does so or not
     */
    public MigrationRunner group(boolean on) {
        return with(copy -> copy.group = on);
    }

    /**
     * Who applies the migrations, for the history.
     *
     * @param user by default the user of the database
     * @return a runner with it
     */
    public MigrationRunner installedBy(String user) {
        return with(copy -> copy.installedBy = Objects.requireNonNull(user, "user"));
    }

    /**
     * What validation does not look at.
     *
     * @param patterns such as {@code versioned:missing}, by default {@code *:future}
     * @return a runner with these
     * @throws IllegalArgumentException if one of them is no such pattern
     */
    public MigrationRunner ignoreMigrationPatterns(String... patterns) {
        return with(copy -> copy.plan = copy.plan.ignore(patterns));
    }

    /**
     * Applies these alone, in this order.
     *
     * @param migrations versions, or descriptions of repeatable migrations; none, the default, is all
     * @return a runner with these
     */
    public MigrationRunner cherryPick(String... migrations) {
        return with(copy -> copy.plan = copy.plan.cherryPick(migrations));
    }

    /**
     * Whether pending migrations are only recorded, as if they had been applied.
     *
     * @param on by default false
     * @return a runner that does so or not
     */
    public MigrationRunner skipExecutingMigrations(boolean on) {
        return with(copy -> copy.skipExecuting = on);
    }

    /**
     * Whether {@link #clean()} is refused.
     *
     * @param on by default true
     * @return a runner that refuses it or not
     */
    public MigrationRunner cleanDisabled(boolean on) {
        return with(copy -> copy.cleanDisabled = on);
    }

    /**
     * How long the lock lasts. {@link LockScope#TRANSACTION} is for proxies that share sessions between clients: each
     * migration takes the lock in its own transaction, looks at the history again, runs, is recorded and committed; between
     * two of them another run may apply the next. A migration that cannot run in a transaction is refused there. What a
     * script sets for the session beyond schema and role stays on a session that others use: let it say {@code SET LOCAL}.
     * The driver must not keep prepared statements then, unless the proxy knows them: {@code preparedStatementCacheQueries=0}
     * in the URL.
     *
     * @param scope by default {@link LockScope#SESSION}
     * @return a runner with it
     */
    public MigrationRunner lock(LockScope scope) {
        return with(copy -> copy.lock = Objects.requireNonNull(scope, "scope"));
    }

    /**
     * How long to wait for the lock while somebody else migrates, or while the database does not answer whether it is free.
     * Flyway waits for 50 seconds.
     *
     * @param limit by default 5 minutes; zero waits for ever
     * @return a runner with it
     * @throws IllegalArgumentException if it is below zero
     */
    public MigrationRunner lockTimeout(Duration limit) {
        Duration checked = TimeSetting.checked(limit, "lockTimeout");
        return with(copy -> copy.lockTimeout = checked);
    }

    /**
     * How long to wait for a database that does not answer yet. The first look, of every run and of {@link #info()} and its
     * like, is tried again with pauses that grow from 0.1 to 2 seconds, as long as no connection comes about or it is lost;
     * what another try does not change, such as a wrong password or a driver that is missing, fails at once. A try that has
     * begun ends by the limits of the engine ({@code maxCreateConnectionTime}), and its look after 10 seconds. When the time is
     * up, a {@link MigrationException} has the last failure as its cause. Flyway has {@code connectRetries} instead.
     *
     * @param limit for the beginning of the last try; by default zero, which does not wait
     * @return a runner with it
     * @throws IllegalArgumentException if it is below zero
     */
    public MigrationRunner connectTimeout(Duration limit) {
        Duration checked = TimeSetting.checked(limit, "connectTimeout");
        return with(copy -> copy.connectTimeout = checked);
    }

    /**
     * Who is told of the runs.
     *
     * @param listener by default {@link MigrationListener#DEFAULT}
     * @return a runner with it
     */
    public MigrationRunner listener(MigrationListener listener) {
        return with(copy -> copy.listener = Objects.requireNonNull(listener, "listener"));
    }

    private static String notEmpty(@Nullable String text, String what) {
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException("The " + what + " is empty: write at least one character");
        }
        return text;
    }

    /**
     * Applies what is pending.
     *
     * @return what was applied, once the lock is released and the connection closed
     */
    public Mono<MigrationReport> migrate() {
        return run(told -> new LockedRun<MigrationReport>(
                        engine,
                        told,
                        look -> MigrateRun.isDone(told, look) ? MigrateRun.report(look, List.of()) : null,
                        (connection, first) -> new MigrateRun(told, connection, first))
                .run());
    }

    /**
     * Takes versions back by their {@code U} scripts, those first that were applied last. The row of a version is deleted,
     * so that free Flyway still reads the history, which refuses one that says of a version that it was undone; the version
     * is pending again. A script and its row are one transaction where DDL can be rolled back, and with {@link #group} all of
     * them are; elsewhere the row counts as failed until the script has ended. Repeatable migrations are left alone.
     *
     * @param target the version that is to be the newest afterwards, and must be applied; {@code 1.2?} need not be, so that
     *     {@code 0?} undoes all
     * @return the {@code U} scripts that ran; fails with {@link InvalidMigrationException}, and has changed nothing, when a
     *     version has none, has failed, or is a baseline
     */
    public Mono<MigrationReport> undo(String target) {
        return run(told -> {
            MigrationTarget stays = UndoRun.target(target);
            return new LockedRun<MigrationReport>(
                            engine,
                            told,
                            look -> UndoRun.first(told, stays, look),
                            (connection, first) -> new UndoRun(told, connection, stays))
                    .run();
        });
    }

    /**
     * What {@link #migrate()} would do. Changes nothing and takes no lock.
     *
     * @return the plan, with why it would not begin
     */
    public Mono<MigrationPlan> plan() {
        return planned().map(MigrationSnapshot::plan);
    }

    private Mono<MigrationSnapshot> planned() {
        return look(true)
                .flatMap(look -> MigrateRun.refusal(engine, settings, look)
                        .map(look::refused)
                        .defaultIfEmpty(look));
    }

    /**
     * The statements that {@link #migrate()} would send of the scripts that are pending, as it would send them. Scripts are
     * read as they are asked for, however large. Changes nothing and takes no lock.
     *
     * @return the statements in their order; fails as {@link #migrate()} does when it would not begin, and with {@link
     *     InvalidMigrationException} at a script that cannot be read
     */
    public Flux<MigrationStatement> statements() {
        return planned().flatMapMany(look -> new PendingStatements(settings, look).all());
    }

    /**
     * All migrations that were found or applied.
     *
     * @return them, as Flyway's {@code info} orders them
     */
    public Mono<List<MigrationStatus>> info() {
        return look(true).map(look -> look.plan().migrations());
    }

    /**
     * Whether history and files fit. As with Flyway, a pending migration is a problem.
     *
     * @return what is wrong; it does not fail because of that
     */
    public Mono<ValidationReport> validate() {
        return look(false)
                .flatMap(look -> Callbacks.any(settings, look, Callbacks.VALIDATION)
                        ? validate(look)
                        : Mono.just(look.plan().validation()));
    }

    private Mono<ValidationReport> validate(MigrationSnapshot look) {
        ValidationReport report = look.plan().validation();
        CallbackEvent after = report.valid() ? CallbackEvent.AFTER_VALIDATE : CallbackEvent.AFTER_VALIDATE_ERROR;
        return RunSubscriber.run(subscriber ->
                RunConnection.open(engine, settings, look.table().dialect(), subscriber, run -> {
                    Mono<ValidationReport> body = Callbacks.connected(settings, run, look)
                            .then(SessionState.of(run.engine(), look.table()))
                            .flatMap(session -> Callbacks.ofUnprepared(settings, run, look, session)
                                    .around(CallbackPhase.VALIDATE, after, Mono.just(report)));
                    return settings.lock == LockScope.TRANSACTION
                            ? run.unit("the callbacks of a validation")
                                    .execute(work -> LockedRun.restoring(look.table(), run, body))
                            : body;
                }));
    }

    private Mono<MigrationSnapshot> look(boolean mayBePending) {
        return SnapshotReader.first(engine, settings, mayBePending, UnaryOperator.identity());
    }

    /**
     * Puts the history right: removes what has failed, marks what is not found any more as deleted, and takes over checksum,
     * description and type of what was found. What failed migrations did is not undone.
     *
     * @return what was changed
     */
    public Mono<RepairReport> repair() {
        return run(told -> new LockedRun<RepairReport>(
                        engine, told, RepairRun::none, (connection, first) -> RepairRun.locked(told, connection))
                .run());
    }

    /**
     * Begins the history of a database that has objects already: all migrations up to the {@link #baselineVersion} count as
     * applied. Creates schemas and history as {@link #migrate()} does. Where the history begins with this very baseline
     * nothing happens.
     *
     * @return a report without migrations; fails with {@link InvalidMigrationException} when there is another history, and
     *     changes nothing then
     */
    public Mono<MigrationReport> baseline() {
        return skipExecutingMigrations(true).run(overObjects -> {
            BaselineRun baseline = new BaselineRun(overObjects);
            return new LockedRun<MigrationReport>(engine, overObjects, baseline::first, baseline::locked).run();
        });
    }

    /**
     * Drops all objects of the {@link #schemas}, the history among them, and the schemas themselves that a run has created.
     * For databases of tests. Roles, and what belongs to no schema, stay. In one transaction where the database can do that
     * (PostgreSQL); elsewhere a failure leaves what was not yet dropped. Waits for the lock, where that is no row of the
     * history (H2).
     *
     * @return completes when they are dropped; fails with {@link InvalidMigrationException} unless {@link #cleanDisabled} is
     *     false
     */
    public Mono<Void> clean() {
        return run(told -> new CleanRun(engine, told).clean());
    }

    /** With the listener of this run. */
    private <T> Mono<T> run(Function<? super MigrationSettings, Mono<T>> run) {
        return Mono.deferContextual(context -> run.apply(settings.ofRun(context)));
    }
}
