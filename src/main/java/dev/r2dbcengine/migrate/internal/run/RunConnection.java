package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.StatementEnd;
import dev.r2dbcengine.work.UnitOfWork;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The connection of a run, and an engine whose statements and units use it. */
public record RunConnection(
        SingleConnectionSource source,
        Engine engine,
        Dialect dialect,
        RunSubscriber subscriber,
        TransactionWatch watch) {

    RunConnection(SingleConnectionSource source, Dialect dialect, RunSubscriber subscriber) {
        this(source, Engine.on(source, dialect), dialect, subscriber, new TransactionWatch());
    }

    /**
     * Opens a connection and closes it at the end. Then replaces the pooled connections, which do not know types that
     * the run created.
     */
    public static <T> Mono<T> open(
            Engine engine,
            MigrationSettings settings,
            Dialect dialect,
            RunSubscriber subscriber,
            Function<RunConnection, Mono<T>> body) {
        ConnectionSource another = engine.unitOfWork().source();
        return another.openUnpooled().flatMap(connection -> {
            SingleConnectionSource source = new SingleConnectionSource(connection, another);
            RunConnection run = new RunConnection(source, dialect, subscriber);
            settings.tell(listener -> listener.connected(StatementEnd.request(connection, dialect, another)));
            return RunSubscriber.andThen(
                    run.openSession().then(body.apply(run)),
                    source.close()
                            .onErrorResume(e -> Mono.fromRunnable(() ->
                                    settings.tell(listener -> listener.cleanupFailed("close of the connection", e))))
                            .then(engine.replaceConnections()));
        });
    }

    private Mono<Void> openSession() {
        String text = dialect.migrations(MigrationSql.OPEN_SESSION);
        return text.isEmpty() ? Mono.empty() : engine.sql(text).update().then();
    }

    /** Returns a unit without a cleanup timeout: a COMMIT may take long. */
    public UnitOfWork unit(String name) {
        return engine.unitOfWork().name(name).cleanupTimeout(Duration.ZERO);
    }

    /** Runs an action on another connection and closes it. */
    <T> Mono<T> elsewhere(Function<Engine, Mono<T>> body) {
        return Mono.usingWhen(
                source.openUnpooled(),
                other -> body.apply(Engine.on(new SingleConnectionSource(other, source.engine()), dialect)),
                Connection::close);
    }

    /** Returns a connection for actions that complete even if the subscriber cancels. */
    RunConnection uncancelled() {
        return new RunConnection(source, engine, dialect, RunSubscriber.STAYS, watch);
    }

    /** Returns whether a failure means that the connection is lost. */
    boolean isLost(Throwable failure) {
        return dialect.kindOf(failure) == ErrorKind.CONNECTION_LOST;
    }
}
