package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.MigrationSql;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import reactor.core.publisher.Mono;

/**
 * Keeps others away from the history, Flyways among them, as long as a body runs. A session lock is taken before the history
 * is prepared, on the connection of the run. Where the database has none, a row of the history is locked, and so that comes
 * first; the lock is held by a connection of its own, since DDL would end it.
 */
record MigrationLock(Preparation preparation, Engine own, Mono<Connection> another, Uncancelled subscriber) {

    private static final long SHORTEST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 250;
    private static final Set<ErrorKind> HELD =
            Set.of(ErrorKind.LOCK_TIMEOUT, ErrorKind.DEADLOCK, ErrorKind.SERIALIZATION_FAILURE);

    <T> Mono<T> hold(Mono<T> body) {
        return text(MigrationSql.TRY_LOCK).isEmpty()
                ? holdRow(body)
                : holdSession(preparation.prepare().then(body));
    }

    /** Without a history; and so without a lock where that is a row of it. */
    <T> Mono<T> holdUnprepared(Mono<T> body) {
        return text(MigrationSql.TRY_LOCK).isEmpty() ? body : holdSession(body);
    }

    private <T> Mono<T> holdSession(Mono<T> body) {
        return await(isOne(MigrationSql.TRY_LOCK)).then(Uncancelled.andThen(body, unlock()));
    }

    private Mono<Boolean> isOne(MigrationSql query) {
        return own.sql(text(query))
                .map(Integer.class)
                .one()
                .map(answer -> answer == 1)
                .defaultIfEmpty(false);
    }

    private Mono<Void> unlock() {
        return isOne(MigrationSql.UNLOCK)
                .filter(held -> held)
                .switchIfEmpty(Mono.error(() -> new IllegalStateException("The lock was not held any more")))
                .then()
                .onErrorResume(e -> told("release of the lock", e));
    }

    private <T> Mono<T> holdRow(Mono<T> body) {
        return await(orHeld(prepared()))
                .then(another.flatMap(connection -> holdRow(new OneConnection(connection, another), body)));
    }

    /** Two who create the table at once get errors of many kinds: what counts is that it is there. */
    private Mono<Boolean> prepared() {
        return preparation
                .prepare()
                .thenReturn(true)
                .onErrorResume(
                        R2dbcException.class,
                        e -> Looker.count(own, MigrationSql.COUNT_TABLES, table())
                                .flatMap(tables -> tables > 0 ? Mono.just(true) : Mono.error(e)));
    }

    private <T> Mono<T> holdRow(OneConnection other, Mono<T> body) {
        Mono<Void> begin = Mono.defer(() -> Mono.fromDirect(other.connection().beginTransaction()));
        Mono<Void> end = Mono.defer(() -> Mono.fromDirect(other.connection().rollbackTransaction()));
        Mono<Void> locked = begin.then(await(lockRow(Engine.on(other, table().dialect()))));
        return Uncancelled.andThen(
                locked.then(body), end.then(other.close()).onErrorResume(e -> told("release of the lock", e)));
    }

    /** An empty table locks nothing: a row that is missing is written first. */
    private Mono<Boolean> lockRow(Engine other) {
        Mono<Boolean> select =
                other.sql(text(MigrationSql.LOCK_ROW)).map(Integer.class).one().hasElement();
        return orHeld(
                select.flatMap(locked -> locked ? Mono.just(true) : createRow().then(select)));
    }

    private Mono<Void> createRow() {
        return own.sql(text(MigrationSql.CREATE_ROW))
                .bind("user", preparation.writer().installedBy())
                .update()
                .then()
                .onErrorResume(e -> table().dialect().kindOf(e) == ErrorKind.DUPLICATE_KEY, e -> Mono.empty());
    }

    private Mono<Boolean> orHeld(Mono<Boolean> attempt) {
        return attempt.onErrorResume(e -> HELD.contains(table().dialect().kindOf(e)), e -> Mono.just(false));
    }

    /** Tries until it is true. No transaction of a session lock is open meanwhile. */
    private Mono<Void> await(Mono<Boolean> attempt) {
        return Mono.defer(() -> {
            long since = System.nanoTime();
            return subscriber
                    .orStop(attempt)
                    .filter(locked -> locked)
                    .repeatWhenEmpty(Integer.MAX_VALUE, again -> again.concatMap(count -> pause(count, since)))
                    .then();
        });
    }

    private Mono<Long> pause(long count, long since) {
        Duration waited = Duration.ofNanos(System.nanoTime() - since);
        Duration limit = preparation.settings().lockTimeout;
        if (!limit.isZero() && waited.compareTo(limit) > 0) {
            return Mono.error(new MigrationException(
                    "Somebody else has held the lock of " + table().qualified() + " for " + limit
                            + ". Wait for that run to end, or raise lockTimeout",
                    null));
        }
        if (Long.bitCount(count + 1) == 1) {
            preparation.settings().listener.lockAwaited(table().qualified(), waited);
        }
        return Mono.delay(Duration.ofMillis(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE, LONGEST_PAUSE)));
    }

    private Mono<Void> told(String call, Throwable e) {
        return Mono.fromRunnable(() -> preparation.settings().listener.cleanupFailed(call, e));
    }

    private HistoryTable table() {
        return preparation.table();
    }

    private String text(MigrationSql which) {
        return table().text(which);
    }
}
