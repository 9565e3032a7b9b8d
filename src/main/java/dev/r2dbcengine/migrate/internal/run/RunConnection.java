package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.MigrationSql;
import dev.r2dbcengine.work.UnitOfWork;
import io.r2dbc.spi.Connection;
import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The connection of a run, and an engine whose statements and units are on it. */
public record RunConnection(
        SingleConnectionSource source,
        Engine engine,
        Dialect dialect,
        RunSubscriber subscriber,
        TransactionWatch watch) {

    RunConnection(SingleConnectionSource source, Dialect dialect, RunSubscriber subscriber) {
        this(source, Engine.on(source, dialect), dialect, subscriber, new TransactionWatch());
    }

    /** Opens one, and closes it in the end. The pool's connections do not know the types that the run may have created. */
    public static <T> Mono<T> open(
            Engine engine,
            MigrationSettings settings,
            Dialect dialect,
            RunSubscriber subscriber,
            Function<RunConnection, Mono<T>> body) {
        Mono<Connection> another = engine.openConnection();
        return another.flatMap(connection -> {
            SingleConnectionSource source = new SingleConnectionSource(connection, another);
            RunConnection run = new RunConnection(source, dialect, subscriber);
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

    /** A COMMIT takes as long as it takes. */
    public UnitOfWork unit(String name) {
        return engine.unitOfWork().name(name).cleanupTimeout(Duration.ZERO);
    }

    /** Runs something on another connection, which is closed afterwards. */
    <T> Mono<T> elsewhere(Function<Engine, Mono<T>> body) {
        return Mono.usingWhen(
                source.engine(),
                other -> body.apply(Engine.on(new SingleConnectionSource(other, source.engine()), dialect)),
                Connection::close);
    }

    /** For what runs to its end although the subscriber has left. */
    RunConnection uncancelled() {
        return new RunConnection(source, engine, dialect, RunSubscriber.STAYS, watch);
    }

    /** Whether a failure means that the connection is gone. */
    boolean isLost(Throwable failure) {
        return dialect.kindOf(failure) == ErrorKind.CONNECTION_LOST;
    }
}
