package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.internal.history.HistoryTable;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.StatementTimeoutException;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Excludes concurrent migration runs, Flyway's included, while a body runs. A session lock is taken on the connection
 * of the run, before the history is created. A database without session locks locks a row of the history, which must
 * exist first; a separate connection holds that lock, since DDL would end it.
 */
record MigrationLock(Preparation preparation, RunConnection run, LockWait waiting, ConnectionSource another) {

    private static final Set<ErrorKind> HELD =
            Set.of(ErrorKind.LOCK_TIMEOUT, ErrorKind.DEADLOCK, ErrorKind.SERIALIZATION_FAILURE);

    static MigrationLock of(Preparation preparation, RunConnection run, Engine engine) {
        return new MigrationLock(
                preparation,
                run,
                new LockWait(preparation.settings(), preparation.table(), run),
                engine.unitOfWork().source());
    }

    /**
     * @param before runs before the preparation
     * @param body with a lock of the scope of a transaction, empty as long as more may remain
     */
    <T> Mono<T> hold(Mono<Void> before, Mono<T> body) {
        Mono<Void> prepared = before.then(preparation.prepare());
        if (isOfTransactions()) {
            return inTransaction(prepared)
                    .then(inTransaction(body)
                            .flatMap(Mono::justOrEmpty)
                            .repeatWhenEmpty(Integer.MAX_VALUE, again -> again));
        }
        return text(MigrationSql.TRY_LOCK).isEmpty() ? before.then(holdRow(body)) : holdSession(prepared.then(body));
    }

    /** Runs a body without creating the history, and so without a lock if that is a row of the history. */
    Mono<Void> holdUnprepared(Mono<Void> body) {
        if (isOfTransactions()) {
            return inTransaction(body).then();
        }
        return text(MigrationSql.TRY_LOCK).isEmpty() ? body : holdSession(body);
    }

    private boolean isOfTransactions() {
        return preparation.settings().lock == LockScope.TRANSACTION;
    }

    private <T> Mono<T> holdSession(Mono<T> body) {
        return await(tryLock(MigrationSql.TRY_LOCK)).then(RunSubscriber.andThen(body, unlock()));
    }

    /** Limits the attempt, since the wait for an answer counts towards the timeout of the lock. */
    private Mono<Boolean> tryLock(MigrationSql attempt) {
        return answersOne(attempt, preparation.settings().lockTimeout)
                .onErrorMap(StatementTimeoutException.class, waiting::unanswered);
    }

    private Mono<Boolean> answersOne(MigrationSql query, Duration limit) {
        return run.engine()
                .sql(text(query))
                .timeout(limit)
                .map(Integer.class)
                .one()
                .map(answer -> answer == 1)
                .defaultIfEmpty(false);
    }

    /** Releases the lock. A lost session holds none, and a session that does not answer is closed. */
    private Mono<Void> unlock() {
        return answersOne(MigrationSql.UNLOCK, SnapshotReader.ANSWER_TIMEOUT)
                .doOnNext(this::expectHeld)
                .then()
                .onErrorResume(run::isLost, e -> Mono.empty())
                .onErrorResume(e -> told("release of the lock", e));
    }

    private void expectHeld(boolean held) {
        if (!held) {
            preparation
                    .settings()
                    .tell(listener -> listener.warned(
                            "The lock of " + table().qualified() + " was not there any more when it was to be released:"
                                    + " others may have migrated at the same time, and it may have stayed on another session."
                                    + " Behind a proxy that shares sessions between clients, set lock(TRANSACTION), or connect"
                                    + " directly; in a script, leave the locks of the session alone"));
        }
    }

    /** Runs the body in a transaction; empty if the body is empty. */
    private <T> Mono<Optional<T>> inTransaction(Mono<T> body) {
        if (text(MigrationSql.TRY_LOCK_TRANSACTION).isEmpty()) {
            return Mono.error(new InvalidMigrationException(
                    "lock(TRANSACTION) needs a database with locks of transactions, in which DDL can be rolled back, and "
                            + table().dialect() + " is none: set lock(SESSION)"));
        }
        Mono<Optional<T>> given = body.map(Optional::of).defaultIfEmpty(Optional.empty());
        return waiting.until(run.unit("a migration under its lock")
                .execute(work -> tryLock(MigrationSql.TRY_LOCK_TRANSACTION)
                        .filter(locked -> locked)
                        .flatMap(locked -> given)));
    }

    private <T> Mono<T> holdRow(Mono<T> body) {
        return await(orHeld(prepared()))
                .then(another.openUnpooled()
                        .flatMap(connection -> holdRow(new SingleConnectionSource(connection, another), body)));
    }

    /**
     * Creates the history. Concurrent creations fail with errors of many kinds, so an error counts only if the table is
     * missing.
     */
    private Mono<Boolean> prepared() {
        return preparation
                .prepare()
                .thenReturn(true)
                .onErrorResume(
                        R2dbcException.class,
                        e -> SnapshotReader.count(run.engine(), MigrationSql.COUNT_TABLES, table())
                                .flatMap(tables -> tables > 0 ? Mono.just(true) : Mono.error(e)));
    }

    private <T> Mono<T> holdRow(SingleConnectionSource other, Mono<T> body) {
        Mono<Void> begin = Mono.defer(() -> Mono.fromDirect(other.connection().beginTransaction()));
        Mono<Void> end = Mono.defer(() -> Mono.fromDirect(other.connection().rollbackTransaction()));
        Mono<Void> locked = begin.then(await(lockRow(Engine.on(other, table().dialect()))));
        return RunSubscriber.andThen(
                locked.then(body), end.then(other.close()).onErrorResume(e -> told("release of the lock", e)));
    }

    /** Locks the row, after inserting it if it is missing, since an empty table locks nothing. */
    private Mono<Boolean> lockRow(Engine other) {
        Mono<Boolean> select =
                other.sql(text(MigrationSql.LOCK_ROW)).map(Integer.class).one().hasElement();
        return orHeld(
                select.flatMap(locked -> locked ? Mono.just(true) : createRow().then(select)));
    }

    private Mono<Void> createRow() {
        return run.engine()
                .sql(text(MigrationSql.CREATE_ROW))
                .bind("user", preparation.writer().installedBy())
                .update()
                .then()
                .onErrorResume(e -> table().dialect().kindOf(e) == ErrorKind.DUPLICATE_KEY, e -> Mono.empty());
    }

    private Mono<Boolean> orHeld(Mono<Boolean> attempt) {
        return attempt.onErrorResume(e -> HELD.contains(table().dialect().kindOf(e)), e -> Mono.just(false));
    }

    /** Repeats an attempt until it succeeds. While it waits for a session lock, no transaction is open. */
    private Mono<Void> await(Mono<Boolean> attempt) {
        return waiting.until(attempt.filter(locked -> locked)).then();
    }

    private Mono<Void> told(String call, Throwable e) {
        return Mono.fromRunnable(() -> preparation.settings().tell(listener -> listener.cleanupFailed(call, e)));
    }

    private HistoryTable table() {
        return preparation.table();
    }

    private String text(MigrationSql which) {
        return table().text(which);
    }
}
