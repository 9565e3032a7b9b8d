package dev.r2dbcengine.work;

import dev.r2dbcengine.Engine;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.time.Duration;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** The ways to obtain a connection, including the plain driver. */
enum SpiConnections {
    /** The plain driver, as the control. */
    DRIVER {
        @Override
        void use(String url, Engine engine, Consumer<ConnectionFactory> test) {
            test.accept(ConnectionFactories.get(url));
        }
    },
    OUTSIDE {
        @Override
        void use(String url, Engine engine, Consumer<ConnectionFactory> test) {
            test.accept(engine.connectionFactory());
        }
    },
    /** The engine's factory, which finds the unit in the Reactor Context. */
    UNIT_OF_CONTEXT {
        @Override
        void use(String url, Engine engine, Consumer<ConnectionFactory> test) {
            ConnectionFactory factory = engine.connectionFactory();
            inUnit(
                    engine,
                    (work, context) -> test.accept(factory(
                            Mono.<Connection>from(factory.create()).contextWrite(context), factory.getMetadata())));
        }
    },
    UNIT_FACTORY {
        @Override
        void use(String url, Engine engine, Consumer<ConnectionFactory> test) {
            inUnit(engine, (work, context) -> test.accept(work.connectionFactory()));
        }
    },
    UNIT_CONNECTION {
        @Override
        void use(String url, Engine engine, Consumer<ConnectionFactory> test) {
            ConnectionFactoryMetadata metadata = engine.connectionFactory().getMetadata();
            inUnit(engine, (work, context) -> test.accept(factory(work.connection(), metadata)));
        }
    };

    private static final Duration LONG = Duration.ofSeconds(30);

    private interface Body {
        void run(Work work, ContextView context);
    }

    abstract void use(String url, Engine engine, Consumer<ConnectionFactory> test);

    boolean isInUnit() {
        return this != DRIVER && this != OUTSIDE;
    }

    /* On an elastic thread, since the tests block. */
    private static void inUnit(Engine engine, Body body) {
        engine.unitOfWork()
                .alwaysRollback()
                .execute(work -> Mono.deferContextual(context -> Mono.<Void>fromRunnable(() -> body.run(work, context))
                        .subscribeOn(Schedulers.boundedElastic())))
                .block(LONG);
    }

    private static ConnectionFactory factory(Mono<Connection> connections, ConnectionFactoryMetadata metadata) {
        return new ConnectionFactory() {
            @Override
            public Mono<Connection> create() {
                return connections;
            }

            @Override
            public ConnectionFactoryMetadata getMetadata() {
                return metadata;
            }
        };
    }
}
