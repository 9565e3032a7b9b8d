package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.dialect.Dialect;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Makes and drops databases on a server, whose URL names one to do that from. */
record ServerDatabases(String url) {

    /**
     * How a database is dropped although somebody is connected to it.
     *
     * @param kills a query for the statements that end those sessions; empty where the drop does that itself
     * @param option of the drop
     */
    private record Drop(String kills, String option) {}

    private static final Drop BY_KILL =
            new Drop("select concat('kill ', id) from information_schema.processlist where db = :name", "");

    private static final Map<Dialect, Drop> DROPS =
            Map.of(Dialect.POSTGRESQL, new Drop("", " with (force)"), Dialect.MARIADB, BY_KILL, Dialect.MYSQL, BY_KILL);

    /** How messages name what a test can change. */
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

    /* One that has ended by itself meanwhile is no failure. */
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
            throw new IllegalStateException(
                    "No databases are made on " + dialect.name()
                            + ": the server of an EngineExtension is PostgreSQL, MariaDB or MySQL. H2 is in memory, without a server");
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
