package dev.r2dbcengine.cli;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.MigrationState;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.work.Work;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Migrates the engine as the first of many units asks for it. Each unit books an amount out and in again; some fail between
 * the two, some are cancelled there. Takes away what it made.
 */
record MigratedUnits(String url) {
    private static final int UNITS = 1000;
    private static final String TABLE = "r2dbc_engine_demo_booking";
    private static final String HISTORY = "r2dbc_engine_demo_history";
    private static final Map<String, String> SCRIPTS = Map.of(
            "V1__create_the_table.sql", "create table " + TABLE + " (account int not null);",
            "V2__add_the_amount.sql", "alter table " + TABLE + " add amount int;");

    /** Where lines go. */
    @FunctionalInterface
    interface Printer {
        void print(String line, Object... values);
    }

    private record Booked(long rows, long sum) {}

    /** Blocks. Whether all was as it should be. */
    boolean run(Printer out) {
        AtomicInteger runs = new AtomicInteger();
        ReactiveEngineCache cache = ReactiveEngineCache.builder()
                .initializer(engine -> migrations(engine).migrate().doOnSubscribe(run -> runs.incrementAndGet()))
                .build();
        Engine engine = cache.engine(url);
        try {
            long committed = value(units(engine));
            List<MigrationStatus> migrations = value(applied(engine));
            out.print("%nMigrated before the first use, %d time:", runs.get());
            migrations.forEach(
                    row -> out.print("  %-26s %s", row.script(), row.state().displayName()));
            Booked booked = value(booked(engine));
            out.print(
                    "%n%,d units of two inserts at once: %,d committed; between the two %,d failed and %,d were"
                            + " cancelled.",
                    UNITS, committed, UNITS / 4, UNITS / 4);
            out.print("Booked: %,d rows, sum %,d.", booked.rows(), booked.sum());
            return runs.get() == 1
                    && migrations.size() == SCRIPTS.size()
                    && booked.equals(new Booked(2 * committed, 0))
                    && committed == UNITS / 2;
        } finally {
            drop(engine).then(cache.close()).block();
        }
    }

    private static <T> T value(Mono<T> of) {
        return Objects.requireNonNull(of.block());
    }

    private static MigrationRunner migrations(Engine engine) {
        return MigrationRunner.on(engine)
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .locations()
                .sources(MigratedUnits::scripts);
    }

    private static List<MigrationFile> scripts() {
        return SCRIPTS.entrySet().stream()
                .map(script -> MigrationFile.of(
                        script.getKey(),
                        () -> new ByteArrayInputStream(script.getValue().getBytes(StandardCharsets.UTF_8))))
                .toList();
    }

    /** Without the baseline of a database that holds other tables. */
    private static Mono<List<MigrationStatus>> applied(Engine engine) {
        return migrations(engine)
                .info()
                .map(rows -> rows.stream()
                        .filter(row -> row.state() == MigrationState.SUCCESS)
                        .toList());
    }

    private static Mono<Long> units(Engine engine) {
        return Flux.range(0, UNITS).flatMap(i -> unit(engine, i), UNITS).count();
    }

    /** A value when it has committed. */
    private static Mono<Long> unit(Engine engine, int i) {
        Sinks.Empty<Void> left = Sinks.empty();
        Mono<Long> between = switch (i % 4) {
            case 0 -> Mono.error(new IllegalStateException("it fails on purpose"));
            case 1 -> Mono.fromRunnable(left::tryEmitEmpty).then(Mono.never());
            default -> Mono.empty();
        };
        return engine.unitOfWork()
                .execute(work ->
                        book(work, -i).update().then(between).then(book(work, i).update()))
                .takeUntilOther(left.asMono())
                .onErrorResume(IllegalStateException.class, e -> Mono.empty());
    }

    private static SqlStatement book(Work work, int amount) {
        return work.sql("insert into " + TABLE + " values (:account, :amount)")
                .bind("account", amount < 0 ? 1 : 2)
                .bind("amount", amount);
    }

    private static Mono<Booked> booked(Engine engine) {
        return engine.sql("select count(*) as \"rows\", coalesce(sum(amount), 0) as \"sum\" from " + TABLE)
                .map(Booked.class)
                .one();
    }

    private static Mono<Long> drop(Engine engine) {
        return engine.dialect()
                .flatMapMany(dialect -> Flux.just(TABLE, dialect.quote(HISTORY)))
                .concatMap(table -> engine.sql("drop table " + table).update())
                .then(Mono.empty());
    }
}
