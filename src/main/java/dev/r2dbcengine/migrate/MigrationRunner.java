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
 * Migrates the database of an engine over R2DBC, with Flyway's files, history table and rules. Options have the names
 * and defaults of Flyway 13 unless documented otherwise. Immutable and thread-safe: each option method returns a new
 * runner. Cold: each subscription to {@link #migrate()} and the other operations is a run of its own, and nothing is
 * read before it.
 *
 * <p><b>A run of {@link #migrate()}</b> passes through these steps:
 *
 * <pre>
 * 1  snapshot   read the history in one query on a pooled connection, and the files;
 *               if there is nothing to do, the run completes here, without a lock
 * 2  connect    open a dedicated connection outside the pool
 * 3  lock       wait for the lock that Flyway takes too; create schemas and history if missing
 * 4  plan       read the history again, validate, run the callbacks before the migrations
 * 5  migrate    per migration: begin, callbacks, statements, history row, commit
 * 6  finish     callbacks after the migrations, release the lock, close the connection
 * </pre>
 *
 * <p>Any number of runs may start at once, in this process and in others: each migration is applied once. Within one
 * JVM, runs on one engine are executed one at a time, in the order of subscription.
 *
 * <p><b>Transactions.</b> A script and its history row commit together if the database can roll DDL back (PostgreSQL)
 * and the script runs in a transaction. Otherwise the row is written first, as failed, and updated at the end: after a
 * failure, a cancel or a kill it stops later runs until {@link #repair()}. The same applies to a script that ends its
 * transaction itself (COMMIT, END, ROLLBACK): from that point on its row is marked as failed until the script has
 * succeeded.
 *
 * <p><b>Cancellation.</b> Nothing in flight is cancelled. The running statement completes, even if it is the last one,
 * and the migration is then rolled back. A migration that cannot be rolled back stays recorded as failed, or counts as
 * applied if its last statement has completed; a migration whose COMMIT was sent is applied, too. The {@link
 * MigrationListener} is notified of the outcome. The lock is then released and the connection closed, in the
 * background. To end the running statement sooner, see {@link MigrationListener#connected}.
 *
 * <p><b>Threads.</b> Files are read on {@code Schedulers.boundedElastic()} in chunks, however large they are: once for
 * their checksums, and again to run them. A script may be read while the previous one runs. Signals are emitted on the
 * driver's threads or that scheduler's.
 *
 * <p><b>Errors.</b> A run that cannot be planned or does not validate fails with {@link InvalidMigrationException}; a
 * failed migration or a lock timeout is a {@link MigrationException}. Other errors are the driver's, or {@link
 * dev.r2dbcengine.EngineOpenException}.
 *
 * <p><b>Crashes.</b> A run that is killed or loses its connection loses the lock as well, and the next run continues
 * from the recorded history. If the connection is lost while a migration runs, the run reads the history on another
 * connection and fails with a {@link MigrationException} that states the outcome of that migration.
 *
 * <p><b>Unresponsive networks.</b> Migrations and their COMMIT have no timeout. If a network drops packets silently (a
 * firewall that forgot the connection), only the operating system detects the loss, and sooner with {@code
 * tcpKeepAlive=true} in the URL. Until then, the next run on the engine waits for this one.
 *
 * <p><b>Running Flyway concurrently.</b> The lock is Flyway's. Where DDL cannot be rolled back, a Flyway that starts
 * while a migration runs here may report it as failed, because Flyway validates before it takes the lock: set its
 * {@code validateOnMigrate} to false there.
 *
 * <p><b>Callbacks.</b> {@link CallbackEvent} lists the events at which scripts such as {@code beforeMigrate.sql} and
 * code run: in Flyway's order, on the run's connection, with the session restored to its initial state and the default
 * schema set, if it exists. Callbacks of {@code migrate} run even if nothing is pending, under the lock, which Flyway
 * does not hold in that case; a cancelled run counts as failed. Callbacks of {@code validate} and {@code baseline} also
 * run for {@link #validate()} and {@link #baseline()}. Error callbacks run after the failed migration is rolled back;
 * Flyway runs them in the failed transaction, where they fail.
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
     * Returns a runner with Flyway's defaults.
     *
     * @param engine whose database is migrated
     * @return a runner
     */
    public static MigrationRunner on(Engine engine) {
        return new MigrationRunner(Objects.requireNonNull(engine, "engine"), new MigrationSettings());
    }

    /**
     * Sets the code that runs at events, in addition to the callback scripts in the {@link #locations}.
     *
     * @param callbacks replace those set before; default: none
     * @return a new runner
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
     * Sets the locations of the scripts.
     *
     * @param locations as {@link MigrationLocation#of} parses them; default: {@code classpath:db/migration}; none: only
     *     the {@link #sources} are read
     * @return a new runner
     * @throws IllegalArgumentException if one of them is not a location
     */
    public MigrationRunner locations(String... locations) {
        List<MigrationLocation> parsed =
                Stream.of(locations).map(MigrationLocation::of).toList();
        return with(copy -> copy.locations = parsed);
    }

    /**
     * Sets further sources of migrations: code, or files from elsewhere. Flyway has no such option.
     *
     * @param sources read in addition to the {@link #locations}; default: none
     * @return a new runner
     */
    public MigrationRunner sources(MigrationSource... sources) {
        return with(copy -> copy.sources = List.of(sources));
    }

    /**
     * Sets migrations written in code, replacing the {@link #sources}.
     *
     * @param migrations the migrations
     * @return a new runner
     */
    public MigrationRunner migrations(Migration... migrations) {
        return sources(MigrationSource.of(migrations));
    }

    /**
     * Sets the encoding of scripts in the {@link #locations} whose {@code .conf} file names none.
     *
     * @param encoding default: UTF-8
     * @return a new runner
     */
    public MigrationRunner encoding(Charset encoding) {
        return with(copy -> copy.encoding = Objects.requireNonNull(encoding, "encoding"));
    }

    /**
     * Sets the name of the history table.
     *
     * @param table default: {@code flyway_schema_history}
     * @return a new runner
     */
    public MigrationRunner table(String table) {
        return with(copy -> copy.table = Objects.requireNonNull(table, "table"));
    }

    /**
     * Sets the schemas that the migrations manage. The first one is the default schema unless {@link #defaultSchema} is
     * set.
     *
     * @param schemas case-sensitive; default: the current schema of the connection
     * @return a new runner
     */
    public MigrationRunner schemas(String... schemas) {
        return with(copy -> copy.schemas = List.of(schemas));
    }

    /**
     * Sets the schema that contains the history table and is the current schema at the start of each script.
     *
     * @param schema case-sensitive; default: the first of the {@link #schemas}
     * @return a new runner
     */
    public MigrationRunner defaultSchema(String schema) {
        return with(copy -> copy.defaultSchema = Objects.requireNonNull(schema, "schema"));
    }

    /**
     * Sets whether missing schemas are created, together with the history table.
     *
     * @param on default: true
     * @return a new runner
     */
    public MigrationRunner createSchemas(boolean on) {
        return with(copy -> copy.createSchemas = on);
    }

    /**
     * Sets the version at which the run stops. Repeatable migrations are applied regardless.
     *
     * @param target a version; {@code 1.2?} for one that need not exist; {@code current}, {@code next} or {@code
     *     latest}; default: {@code latest}
     * @return a new runner
     * @throws IllegalArgumentException if it is neither a version nor one of these words
     */
    public MigrationRunner target(String target) {
        return with(copy -> copy.plan = copy.plan.target(target));
    }

    /**
     * Sets whether migrations below the newest applied version are applied.
     *
     * @param on default: false, which makes them a validation problem
     * @return a new runner
     */
    public MigrationRunner outOfOrder(boolean on) {
        return with(copy -> copy.plan = copy.plan.outOfOrder(on));
    }

    /**
     * Sets whether a run validates first. A failed migration in the history stops the run regardless.
     *
     * @param on default: true
     * @return a new runner
     */
    public MigrationRunner validateOnMigrate(boolean on) {
        return with(copy -> copy.validateOnMigrate = on);
    }

    /**
     * Sets whether a schema with objects but without a history table is assumed to be at the baseline version. As with
     * Flyway, no baseline is written if the history table exists, even if it is empty, or with {@link
     * #skipExecutingMigrations}.
     *
     * @param on default: false, which makes such a schema an error
     * @return a new runner
     */
    public MigrationRunner baselineOnMigrate(boolean on) {
        return with(copy -> copy.baselineOnMigrate = on);
    }

    /**
     * Sets the version of a baseline.
     *
     * @param version default: 1
     * @return a new runner
     * @throws IllegalArgumentException if it is not a version
     */
    public MigrationRunner baselineVersion(String version) {
        MigrationVersion parsed = MigrationVersion.of(version);
        return with(copy -> copy.baselineVersion = parsed);
    }

    /**
     * Sets the description of a baseline.
     *
     * @param description default: Flyway's, {@code << Flyway Baseline >>}
     * @return a new runner
     */
    public MigrationRunner baselineDescription(String description) {
        return with(copy -> copy.baselineDescription = Objects.requireNonNull(description, "description"));
    }

    /**
     * Sets the values of placeholders in scripts. {@code flyway:defaultSchema}, {@code flyway:user}, {@code
     * flyway:database}, {@code flyway:timestamp}, {@code flyway:filename} and {@code flyway:table} are built in. As an
     * escape that Flyway lacks, <code>${}name}</code> yields the text <code>${name}</code>.
     *
     * @param values by name, case-insensitive; they replace those set before
     * @return a new runner
     */
    public MigrationRunner placeholders(Map<String, String> values) {
        Map<String, String> copied = Map.copyOf(values);
        return replacing(placeholders -> placeholders.values(copied));
    }

    /**
     * Sets whether placeholders are replaced in scripts whose {@code .conf} file does not specify it.
     *
     * @param on default: true
     * @return a new runner
     */
    public MigrationRunner placeholderReplacement(boolean on) {
        return replacing(placeholders -> placeholders.replaces(on));
    }

    /**
     * Sets the prefix of placeholders.
     *
     * @param prefix default: <code>${</code>
     * @return a new runner
     * @throws IllegalArgumentException if it is empty
     */
    public MigrationRunner placeholderPrefix(String prefix) {
        String checked = notEmpty(prefix, "placeholder prefix");
        return replacing(placeholders -> placeholders.prefix(checked));
    }

    /**
     * Sets the suffix of placeholders.
     *
     * @param suffix default: <code>}</code>
     * @return a new runner
     * @throws IllegalArgumentException if it is empty
     */
    public MigrationRunner placeholderSuffix(String suffix) {
        String checked = notEmpty(suffix, "placeholder suffix");
        return replacing(placeholders -> placeholders.suffix(checked));
    }

    /**
     * Sets the file name prefix of versioned scripts. If several prefixes match a name, the longest one applies.
     *
     * @param prefix default: {@code V}; may be empty: {@code 1__a.sql}
     * @return a new runner
     */
    public MigrationRunner sqlMigrationPrefix(String prefix) {
        return naming(rules -> rules.prefix(MigrationKind.VERSIONED, prefix));
    }

    /**
     * Sets the file name prefix of repeatable scripts. If several prefixes match a name, the longest one applies.
     *
     * @param prefix default: {@code R}; may be empty: {@code __a.sql}
     * @return a new runner
     */
    public MigrationRunner repeatableSqlMigrationPrefix(String prefix) {
        return naming(rules -> rules.prefix(MigrationKind.REPEATABLE, prefix));
    }

    /**
     * Sets the file name prefix of baseline scripts. If several prefixes match a name, the longest one applies.
     *
     * @param prefix default: {@code B}; may be empty: {@code 1__a.sql}
     * @return a new runner
     */
    public MigrationRunner baselineMigrationPrefix(String prefix) {
        return naming(rules -> rules.prefix(MigrationKind.BASELINE, prefix));
    }

    /**
     * Sets the separator between version and description in file names.
     *
     * @param separator default: {@code __}
     * @return a new runner
     * @throws IllegalArgumentException if it is empty
     */
    public MigrationRunner sqlMigrationSeparator(String separator) {
        return naming(rules -> rules.separator(notEmpty(separator, "separator")));
    }

    /**
     * Sets the file name suffixes of scripts.
     *
     * @param suffixes case-insensitive; default: {@code .sql}
     * @return a new runner
     * @throws IllegalArgumentException if there is none
     */
    public MigrationRunner sqlMigrationSuffixes(String... suffixes) {
        if (suffixes.length == 0) {
            throw new IllegalArgumentException("No suffix: name at least one, such as .sql");
        }
        return naming(rules -> rules.suffixes(suffixes));
    }

    /**
     * Sets whether a SQL file whose name is not a migration's is an error, and a file with a migration's name but
     * without a suffix. A file that has a versioned prefix but no version ({@code V2_x.sql}) is always an error.
     *
     * @param on default: false, which logs a warning
     * @return a new runner
     */
    public MigrationRunner validateMigrationNaming(boolean on) {
        return naming(rules -> rules.strict(on));
    }

    /**
     * Sets whether a script may mix statements that cannot run in a transaction with others; such a script runs without
     * a transaction.
     *
     * @param on default: false, which makes such a script an error
     * @return a new runner
     */
    public MigrationRunner mixed(boolean on) {
        return with(copy -> copy.mixed = on);
    }

    /**
     * Sets whether all pending migrations run in one transaction, so that either all are applied or none. This requires
     * a database that can roll DDL back; elsewhere (H2, MariaDB) each migration is applied and recorded alone, as
     * without the option. As with Flyway, a group must not mix migrations that cannot run in a transaction with others;
     * with {@link #mixed} such a group runs without a transaction. The listener is notified of the outcome of each
     * migration when the group has ended.
     *
     * @param on default: false
     * @return a new runner
     */
    public MigrationRunner group(boolean on) {
        return with(copy -> copy.group = on);
    }

    /**
     * Sets the user that the history records as {@code installed_by}.
     *
     * @param user default: the user of the database
     * @return a new runner
     */
    public MigrationRunner installedBy(String user) {
        return with(copy -> copy.installedBy = Objects.requireNonNull(user, "user"));
    }

    /**
     * Sets the migrations that validation ignores.
     *
     * @param patterns such as {@code versioned:missing}; default: {@code *:future}
     * @return a new runner
     * @throws IllegalArgumentException if one of them is not such a pattern
     */
    public MigrationRunner ignoreMigrationPatterns(String... patterns) {
        return with(copy -> copy.plan = copy.plan.ignore(patterns));
    }

    /**
     * Restricts a run to these migrations, applied in this order.
     *
     * @param migrations versions, or descriptions of repeatable migrations; default: none, which applies all
     * @return a new runner
     */
    public MigrationRunner cherryPick(String... migrations) {
        return with(copy -> copy.plan = copy.plan.cherryPick(migrations));
    }

    /**
     * Sets whether pending migrations are only recorded as applied, without running them.
     *
     * @param on default: false
     * @return a new runner
     */
    public MigrationRunner skipExecutingMigrations(boolean on) {
        return with(copy -> copy.skipExecuting = on);
    }

    /**
     * Sets whether {@link #clean()} is rejected.
     *
     * @param on default: true
     * @return a new runner
     */
    public MigrationRunner cleanDisabled(boolean on) {
        return with(copy -> copy.cleanDisabled = on);
    }

    /**
     * Sets the scope of the lock. {@link LockScope#TRANSACTION} is for proxies that share sessions between clients:
     * each migration takes the lock in its own transaction, reads the history again, runs, is recorded and committed;
     * another run may apply the next one in between. A migration that cannot run in a transaction is rejected. Session
     * settings that a script changes, other than schema and role, remain on the shared session: use {@code SET LOCAL}
     * in scripts. The driver must not keep prepared statements unless the proxy supports them: {@code
     * preparedStatementCacheQueries=0} in the URL.
     *
     * @param scope default: {@link LockScope#SESSION}
     * @return a new runner
     */
    public MigrationRunner lock(LockScope scope) {
        return with(copy -> copy.lock = Objects.requireNonNull(scope, "scope"));
    }

    /**
     * Sets how long to wait for the lock while another run holds it or while the database does not respond. Flyway
     * waits for 50 seconds.
     *
     * @param limit default: 5 minutes; zero waits without limit
     * @return a new runner
     * @throws IllegalArgumentException if it is negative
     */
    public MigrationRunner lockTimeout(Duration limit) {
        Duration checked = TimeSetting.checked(limit, "lockTimeout");
        return with(copy -> copy.lockTimeout = checked);
    }

    /**
     * Sets how long to wait for a database that is not available yet. The first read of every run, of {@link #info()}
     * and the other queries is retried, with pauses that grow from 0.1 to 2 seconds, as long as no connection can be
     * established or it is lost. Failures that a retry cannot fix, such as a wrong password or a missing driver, are
     * emitted at once. An attempt in progress is bounded by the engine's settings ({@code maxCreateConnectionTime}) and
     * its query by 10 seconds. On timeout the run fails with a {@link MigrationException} whose cause is the last
     * failure. Flyway has {@code connectRetries} instead.
     *
     * @param limit until the last attempt starts; default: zero, which does not retry
     * @return a new runner
     * @throws IllegalArgumentException if it is negative
     */
    public MigrationRunner connectTimeout(Duration limit) {
        Duration checked = TimeSetting.checked(limit, "connectTimeout");
        return with(copy -> copy.connectTimeout = checked);
    }

    /**
     * Sets the listener of the runs.
     *
     * @param listener default: {@link MigrationListener#DEFAULT}
     * @return a new runner
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
     * Applies the pending migrations.
     *
     * <p>On PostgreSQL, the commits of scripts do not wait until the server has flushed its log ({@code
     * synchronous_commit = off} in the transaction of the script), except the last one of a run, which flushes them all. A
     * crash of the server in the middle of a run may take back the latest scripts, each together with its row in the
     * history, and the next run applies them again. A migration that a run, successful or not, has
     * reported as applied at its end is permanent. Each commit waits with callbacks, with {@link LockScope#TRANSACTION},
     * for code, and for scripts outside a transaction.
     *
     * @return emits the migrations applied, after the lock is released and the connection closed
     */
    public Mono<MigrationReport> migrate() {
        return run(bound -> new LockedRun<MigrationReport>(
                        engine,
                        bound,
                        snapshot -> MigrateRun.isDone(bound, snapshot) ? MigrateRun.report(snapshot, List.of()) : null,
                        (connection, first) -> new MigrateRun(bound, connection, first))
                .run());
    }

    /**
     * Undoes versions by their {@code U} scripts, in reverse order of their application. The row of an undone version
     * is deleted and the version is pending again; free Flyway refuses a history with undo rows. A script and the
     * change of its row are one transaction if DDL can be rolled back, and with {@link #group} all of them are;
     * elsewhere the row is marked as failed until the script has completed. Repeatable migrations are not undone.
     *
     * @param target the version that becomes the newest, and must be applied; {@code 1.2?} need not be, so that {@code
     *     0?} undoes all
     * @return emits the {@code U} scripts that ran; fails with {@link InvalidMigrationException}, without any change,
     *     if a version has no {@code U} script, has failed, or is a baseline
     */
    public Mono<MigrationReport> undo(String target) {
        return run(bound -> {
            MigrationTarget parsed = UndoRun.target(target);
            return new LockedRun<MigrationReport>(
                            engine,
                            bound,
                            snapshot -> UndoRun.first(bound, parsed, snapshot),
                            (connection, first) -> new UndoRun(bound, connection, parsed))
                    .run();
        });
    }

    /**
     * Returns the plan of {@link #migrate()}. Changes nothing and takes no lock.
     *
     * @return emits the plan, with the reason if a run would be rejected
     */
    public Mono<MigrationPlan> plan() {
        return planned().map(MigrationSnapshot::plan);
    }

    private Mono<MigrationSnapshot> planned() {
        return snapshot(true)
                .flatMap(snapshot -> MigrateRun.refusal(engine, settings, snapshot)
                        .map(snapshot::refused)
                        .defaultIfEmpty(snapshot));
    }

    /**
     * Returns the statements that {@link #migrate()} would send for the pending scripts, as the driver would receive
     * them. Scripts are read on demand, however large. Changes nothing and takes no lock.
     *
     * @return the statements in order; fails like {@link #migrate()} if a run would be rejected, and with {@link
     *     InvalidMigrationException} at a script that cannot be read
     */
    public Flux<MigrationStatement> statements() {
        return planned().flatMapMany(snapshot -> new PendingStatements(settings, snapshot).all());
    }

    /**
     * Returns all migrations that were found or applied.
     *
     * @return emits them in the order of Flyway's {@code info}
     */
    public Mono<List<MigrationStatus>> info() {
        return snapshot(true).map(snapshot -> snapshot.plan().migrations());
    }

    /**
     * Compares the history with the files. As with Flyway, a pending migration is a problem.
     *
     * @return emits the problems found; problems are not an error signal
     */
    public Mono<ValidationReport> validate() {
        return snapshot(false)
                .flatMap(snapshot -> Callbacks.any(settings, snapshot, Callbacks.VALIDATION)
                        ? validate(snapshot)
                        : Mono.just(snapshot.plan().validation()));
    }

    private Mono<ValidationReport> validate(MigrationSnapshot snapshot) {
        ValidationReport report = snapshot.plan().validation();
        CallbackEvent after = report.valid() ? CallbackEvent.AFTER_VALIDATE : CallbackEvent.AFTER_VALIDATE_ERROR;
        return RunSubscriber.run(subscriber ->
                RunConnection.open(engine, settings, snapshot.table().dialect(), subscriber, run -> {
                    Mono<ValidationReport> body = Callbacks.connected(settings, run, snapshot)
                            .then(SessionState.of(run.engine(), snapshot.table()))
                            .flatMap(session -> Callbacks.ofUnprepared(settings, run, snapshot, session)
                                    .around(CallbackPhase.VALIDATE, after, Mono.just(report)));
                    return settings.lock == LockScope.TRANSACTION
                            ? run.unit("the callbacks of a validation")
                                    .execute(work -> LockedRun.restoring(snapshot.table(), run, body))
                            : body;
                }));
    }

    private Mono<MigrationSnapshot> snapshot(boolean mayBePending) {
        return SnapshotReader.first(engine, settings, mayBePending, UnaryOperator.identity());
    }

    /**
     * Repairs the history: removes failed rows, marks rows whose migration is no longer found as deleted, and updates
     * checksum, description and type to those of the migrations found. Changes that failed migrations made are not
     * undone.
     *
     * @return emits the changes to the history
     */
    public Mono<RepairReport> repair() {
        return run(bound -> new LockedRun<RepairReport>(
                        engine, bound, RepairRun::none, (connection, first) -> RepairRun.locked(bound, connection))
                .run());
    }

    /**
     * Starts the history of a database that already has objects: all migrations up to the {@link #baselineVersion}
     * count as applied. Creates schemas and history table as {@link #migrate()} does. Does nothing if the history
     * starts with this very baseline.
     *
     * @return emits a report without migrations; fails with {@link InvalidMigrationException}, without any change, if
     *     there is a different history
     */
    public Mono<MigrationReport> baseline() {
        return skipExecutingMigrations(true).run(overObjects -> {
            BaselineRun baseline = new BaselineRun(overObjects);
            return new LockedRun<MigrationReport>(engine, overObjects, baseline::first, baseline::locked).run();
        });
    }

    /**
     * Drops all objects of the {@link #schemas}, the history included, and the schemas that a run created. For test
     * databases. Roles and other objects outside of schemas remain. Runs in one transaction if the database supports
     * that (PostgreSQL); elsewhere a failure leaves the objects that were not dropped yet. Waits for the lock, except
     * on H2, where the lock is a row of the history.
     *
     * @return completes when the objects are dropped; fails with {@link InvalidMigrationException} unless {@link
     *     #cleanDisabled} is false
     */
    public Mono<Void> clean() {
        return run(bound -> new CleanRun(engine, bound).clean());
    }

    /** Runs with the listener of the subscriber, see {@link MigrationListener#ofRun}. */
    private <T> Mono<T> run(Function<? super MigrationSettings, Mono<T>> run) {
        return Mono.deferContextual(context -> run.apply(settings.ofRun(context)));
    }
}
