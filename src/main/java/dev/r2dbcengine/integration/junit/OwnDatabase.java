package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** The database of one test class, with a unique name. */
final class OwnDatabase implements EngineExtension.Closing {

    /* How long to wait for the release of connections whose test was cancelled or has completed. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final AtomicInteger unreleased = new AtomicInteger();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .closeTimeout(CLOSE_TIMEOUT)
            .settingNames(ServerDatabases.SETTING_NAMES)
            .listener(new EngineListener() {
                @Override
                public void connectionsNotReturned(String url, int connections) {
                    unreleased.set(connections);
                }
            })
            .build();
    private final String name =
            "r2dbc_engine_test_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    private final String owner;
    private final String scope;
    private final @Nullable ServerDatabases server;
    private final Engine engine;

    private OwnDatabase(String owner, String scope, @Nullable ServerDatabases server) {
        this.owner = owner;
        this.scope = scope;
        this.server = server;
        this.engine = server == null ? engines.engine("r2dbc:h2:mem:///" + name) : server.database(engines, name);
    }

    /*
     * Without a server, the database is in memory. Messages name the owner; the scope is the unique id of its context.
     */
    static OwnDatabase open(
            String owner, String scope, @Nullable ServerDatabases server, UnaryOperator<MigrationRunner> migrations) {
        OwnDatabase database = new OwnDatabase(owner, scope, server);
        Await.value("The migration of the database of " + database.owner, database.create(migrations));
        return database;
    }

    private Mono<Void> create(UnaryOperator<MigrationRunner> migrations) {
        Mono<Void> create = server == null ? Mono.empty() : server.create(name);
        return create.then(Mono.defer(() -> engine.open()
                .then(Mono.defer(
                        () -> migrations.apply(MigrationRunner.on(engine)).migrate()))
                .then()
                .onErrorResume(e -> drop().onErrorResume(
                                suppressed -> Mono.fromRunnable(() -> Exceptions.addSuppressed(e, suppressed)))
                        .then(Mono.error(e)))));
    }

    /* The unique id of the context that owns the database. */
    String scope() {
        return scope;
    }

    Engine engine() {
        return engine;
    }

    ReactiveEngineCache engines() {
        return engines;
    }

    @Override
    public void close() {
        Await.value("The drop of the database of " + owner, drop());
        if (unreleased.get() > 0) {
            throw new IllegalStateException("Connections of the database of " + owner
                    + " that were not released within " + CLOSE_TIMEOUT.toSeconds()
                    + " s: " + unreleased + ". A test has acquired them without closing them,"
                    + " or has started a unit of work that does not end. The database was dropped anyway");
        }
    }

    private Mono<Void> drop() {
        return engines.close().then(server == null ? Mono.empty() : server.drop(name));
    }
}
