package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.testing.WireTap;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A unit of work sends the server exactly the messages that hand-written code sends on the same pool. */
class PostgreSqlWireIT {
    private static final Duration LONG = Duration.ofSeconds(20);

    private TestDatabase database;
    private WireTap tap;
    private ReactiveEngineCache engines;
    private Engine engine;

    @BeforeEach
    @SuppressWarnings("NullAway.Init")
    void open() throws IOException {
        database = TestDatabase.fresh(Server.POSTGRESQL);
        database.execute("create table item (id int, name text)").block(LONG);
        tap = new WireTap(database);
        engines = ReactiveEngineCache.builder()
                .settings(EngineSettings.builder().maxSize(1).build())
                .build();
        engine = engines.engine(tap.url());
        engine.open().block(LONG);
    }

    @AfterEach
    void close() throws IOException {
        engines.close().block(LONG);
        tap.close();
        database.close();
    }

    @Test
    void singleInsertSendsSameMessagesAsHandWrittenCode() {
        Mono<Long> unit = engine.unitOfWork().execute(this::insert);

        assertThat(messagesOf(unit))
                .isEqualTo(messagesOf(handWritten(this::handWrittenInsert)))
                .hasSizeGreaterThan(3);
    }

    @Test
    void joinedUnitSendsNoExtraMessages() {
        Mono<Long> unit =
                engine.unitOfWork().execute(work -> engine.unitOfWork().execute(this::insert));

        assertThat(messagesOf(unit)).isEqualTo(messagesOf(handWritten(this::handWrittenInsert)));
    }

    @Test
    void tenInsertsSendSameMessagesAsHandWrittenCode() {
        Mono<Long> unit =
                engine.unitOfWork().execute(work -> insert(work).repeat(9).count());

        assertThat(messagesOf(unit))
                .isEqualTo(messagesOf(handWritten(connection -> Mono.defer(() -> handWrittenInsert(connection))
                        .repeat(9)
                        .count())));
    }

    @Test
    void failedUnitSendsSameMessagesAsHandWrittenCode() {
        Mono<Long> unit = engine.unitOfWork()
                .<Long>execute(work -> insert(work).then(Mono.error(new IllegalStateException("no"))))
                .onErrorReturn(0L);

        assertThat(messagesOf(unit))
                .isEqualTo(messagesOf(handWritten(connection ->
                                handWrittenInsert(connection).<Long>then(Mono.error(new IllegalStateException("no"))))
                        .onErrorReturn(0L)));
    }

    @Test
    void emptyUnitSendsNothing() {
        assertThat(messagesOf(engine.unitOfWork().execute(work -> Mono.just(1L))))
                .isEmpty();
    }

    /** Returns the messages of a second run, since the driver prepares its statements in the first. */
    private List<String> messagesOf(Mono<Long> run) {
        run.block(LONG);
        tap.messages();
        run.block(LONG);
        return tap.messages();
    }

    private Mono<Long> insert(Work work) {
        return work.sql("insert into item values (:id, :name)")
                .bind("id", 7)
                .bind("name", "a")
                .update();
    }

    private Mono<Long> handWrittenInsert(Connection connection) {
        return Flux.from(connection
                        .createStatement("insert into item values ($1, $2)")
                        .bind(0, 7)
                        .bind(1, "a")
                        .execute())
                .concatMap(Result::getRowsUpdated)
                .single();
    }

    private Mono<Long> handWritten(Function<Connection, Mono<Long>> body) {
        return engine.pool()
                .flatMap(pool -> Mono.usingWhen(
                        pool.create(),
                        connection -> Mono.from(connection.beginTransaction()).then(body.apply(connection)),
                        connection -> Flux.concatDelayError(connection.commitTransaction(), connection.close()),
                        (connection, e) -> Flux.concatDelayError(connection.rollbackTransaction(), connection.close()),
                        connection -> Flux.concatDelayError(connection.rollbackTransaction(), connection.close())));
    }
}
