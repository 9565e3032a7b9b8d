package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Creates and drops databases on a server, through a connection to the existing database of the URL. */
record ServerDatabases(String url) {

    /**
     * The statements that drop a database with open sessions.
     *
     * @param kills a query that returns the statements which end the sessions; empty if the drop ends them itself
     * @param option appended to the {@code drop database} statement
     */
    private record Drop(String kills, String option) {}

    private static final Drop BY_KILL =
            new Drop("select concat('kill ', id) from information_schema.processlist where db = :name", "");

    private static final Map<Dialect, Drop> DROPS = Map.of(
            Dialect.POSTGRESQL,
            new Drop("", " with (force)"),
            Dialect.MARIADB,
            BY_KILL,
            Dialect.MYSQL,
            BY_KILL,
            Dialect.MARIADB_BY_MYSQL_DRIVER,
            BY_KILL);

    /** The names of the settings in messages, in terms of a test. */
    static final Map<String, String> SETTING_NAMES = Map.of(
            "url", "the URL that EngineExtension.on(…) gets",
            "credentials", "user:password@ before the host in the URL that EngineExtension.on(…) gets",
            "dependencies", "the test dependencies");

    Engine database(ReactiveEngineCache engines, String name) {
        return engines.engineWith(
                url,
                options -> options.mutate()
                        .option(ConnectionFactoryOptions.DATABASE, name)
                        .build());
    }

    Mono<Void> create(String name) {
        return administer(engine -> engine.dialect().flatMap(dialect -> {
            dropOf(dialect);
            return engine.sql("create database " + dialect.quote(name)).update();
        }));
    }

    Mono<Void> drop(String name) {
        return administer(engine -> engine.dialect().flatMap(dialect -> {
            Drop drop = dropOf(dialect);
            return endSessions(engine, drop, name)
                    .then(engine.sql("drop database if exists " + dialect.quote(name) + drop.option())
                            .update());
        }));
    }

    /* Ignores errors: a session may already have ended. */
    private static Mono<Void> endSessions(Engine engine, Drop drop, String name) {
        return drop.kills().isEmpty()
                ? Mono.empty()
                : engine.sql(drop.kills())
                        .bind("name", name)
                        .map(String.class)
                        .all()
                        .collectList()
                        .flatMapMany(Flux::fromIterable)
                        .concatMap(kill -> engine.sql(kill).update().onErrorComplete())
                        .then();
    }

    private static Drop dropOf(Dialect dialect) {
        Drop drop = DROPS.get(dialect);
        if (drop == null) {
            throw new IllegalStateException("EngineExtension cannot create databases on " + dialect.name()
                    + ": the server must be PostgreSQL, MariaDB or MySQL. H2 is in memory, without a server");
        }
        return drop;
    }

    private Mono<Void> administer(Function<Engine, Mono<?>> work) {
        return Mono.usingWhen(
                Mono.fromSupplier(() -> ReactiveEngineCache.builder()
                        .settingNames(SETTING_NAMES)
                        .build()),
                engines -> work.apply(engines.engine(url)).then(),
                ReactiveEngineCache::close);
    }
}
