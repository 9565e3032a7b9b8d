package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A migration that is being applied, with its row in the history. */
final class Attempt {

    private final MigrationSettings settings;
    private final RunConnection run;
    private final Look look;
    private final ResolvedMigration migration;
    private final int rank;
    private final MigrationBody body;
    private final HistoryWriter writer;
    private final long since = System.nanoTime();
    private volatile boolean undone = true;

    Attempt(MigrationSettings settings, RunConnection run, Look look, ResolvedMigration migration, int rank) {
        this.settings = settings;
        this.run = run;
        this.look = look;
        this.migration = migration;
        this.rank = rank;
        this.body = MigrationBody.of(migration, settings, run, look);
        this.writer = look.writer(run.engine(), settings);
    }

    /** @param applied is told when all of it is committed */
    Mono<Void> run(Consumer<Executed> applied) {
        return body.inTransaction()
                .subscribeOn(Schedulers.boundedElastic())
                .map(this::allowed)
                .flatMap(inTransaction -> {
                    undone = inTransaction && run.dialect().has(Feature.TRANSACTIONAL_DDL);
                    return undone ? withRow(applied) : afterRow(inTransaction, applied);
                });
    }

    private boolean allowed(boolean inTransaction) {
        if (!inTransaction && settings.lock == LockScope.TRANSACTION) {
            throw new OutsideTransaction();
        }
        return inTransaction;
    }

    /** What this run holds of the lock would end with the transaction that the migration cannot be in. */
    private static final class OutsideTransaction extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private Mono<Void> withRow(Consumer<Executed> applied) {
        return run.unit(title())
                .execute(work -> restore().then(body.run()).then(Mono.defer(() -> {
                    Executed done = new Executed(migration, rank, time());
                    work.afterCommit(Mono.fromRunnable(() -> applied.accept(done)));
                    return writer.insert(rank, migration, done.duration(), true);
                })));
    }

    /** What cannot be rolled back is recorded as failed until it has succeeded, so that even a kill is seen. */
    private Mono<Void> afterRow(boolean inTransaction, Consumer<Executed> applied) {
        Mono<Void> all = restore().then(body.run());
        return writer.insert(rank, migration, Duration.ZERO, false)
                .then(inTransaction ? run.unit(title()).execute(work -> all) : all)
                .then(Mono.defer(() -> {
                    Executed done = new Executed(migration, rank, time());
                    return writer.succeed(rank, done.duration()).doOnSuccess(end -> applied.accept(done));
                }));
    }

    /** The session as it was at the start, whatever the last script did to it. */
    private Mono<Void> restore() {
        return look.session().restore(run.engine());
    }

    private Duration time() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    private String title() {
        MigrationVersion version = migration.version();
        return version == null
                ? "the repeatable migration '" + migration.description() + "'"
                : "the migration to version " + version;
    }

    /** What the subscriber is told, once everything is rolled back that can be. */
    Mono<Throwable> failure(List<Executed> before, Throwable e) {
        return (e instanceof CancellationException ? Mono.just(e) : told(before, e))
                .doOnNext(failure -> settings.listener.failed(migration, failure, time()));
    }

    private Mono<Throwable> told(List<Executed> before, Throwable e) {
        String stay = " " + before.size() + " migrations were applied before it.";
        if (e instanceof ScriptException unreadable && body.current() == null) {
            return Mono.just(
                    exception(e.getMessage() + ". Nothing of it was done." + stay, before, unreadable.line(), null, e));
        }
        ScriptStatement statement = body.current();
        String place = migration.origin() + (statement == null ? "" : ", line " + statement.line()) + ": " + title();
        return outcome(e)
                .map(what -> exception(
                        place + what + stay,
                        before,
                        statement == null ? 0 : statement.line(),
                        statement == null ? null : statement.text(),
                        e));
    }

    private MigrationException exception(
            String message, List<Executed> before, int line, @Nullable String statement, Throwable e) {
        return new MigrationException(message, before, migration, line, statement, e);
    }

    private Mono<String> outcome(Throwable e) {
        if (e instanceof OutsideTransaction) {
            return Mono.just(
                    " cannot run in a transaction, which is what holds the lock with lock(TRANSACTION). Nothing of"
                            + " it was done: run it with lock(SESSION), on a connection that is not through the proxy.");
        }
        if (run.isLost(e)) {
            return new LostRun(run, look.table())
                    .whatBecameOf(migration, rank)
                    .map(" failed: the connection was lost. "::concat);
        }
        return undone
                ? Mono.just(
                        " failed. All that it did was rolled back, and nothing of it is recorded: correct it, and run"
                                + " again.")
                : leftovers()
                        .map(left ->
                                " failed. What it did before that may stay, and the history has it as failed: undo by"
                                        + " hand what it did, correct it, call repair(), and run again." + left);
    }

    /** Statements outside of a transaction may leave something behind that is of no use. */
    private Mono<String> leftovers() {
        String text = look.table().text(MigrationSql.INVALID_INDEXES);
        return text.isEmpty()
                ? Mono.just("")
                : run.engine()
                        .sql(text)
                        .map(String.class)
                        .all()
                        .collectList()
                        .map(names -> names.isEmpty()
                                ? ""
                                : " Invalid indexes are left, which slow writes and serve no query: drop "
                                        + String.join(", ", names) + " first.")
                        .onErrorReturn("");
    }
}
