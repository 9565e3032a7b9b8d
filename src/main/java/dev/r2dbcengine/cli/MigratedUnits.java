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
 * The part of the demo with migrations and units of work. The first of many units opens the engine, which migrates it.
 * Each unit inserts a debit and a credit of one amount; a quarter fails between the two, a quarter is cancelled there.
 * The tables are dropped at the end.
 */
record MigratedUnits(String url) {
    private static final int UNITS = 1000;
    private static final String TABLE = "r2dbc_engine_demo_booking";
    private static final String HISTORY = "r2dbc_engine_demo_history";
    private static final Map<String, String> SCRIPTS = Map.of(
            "V1__create_the_table.sql", "create table " + TABLE + " (account int not null);",
            "V2__add_the_amount.sql", "alter table " + TABLE + " add amount int;");

    /** Prints a formatted line. */
    @FunctionalInterface
    interface Printer {
        void print(String line, Object... values);
    }

    private record Booked(long rows, long sum) {}

    /** Runs the demo, blocking the caller, and returns whether the results are as expected. */
    boolean run(Printer out) {
        AtomicInteger runs = new AtomicInteger();
        ReactiveEngineCache cache = ReactiveEngineCache.builder()
                .initializer(engine -> migrations(engine).migrate().doOnSubscribe(run -> runs.incrementAndGet()))
                .build();
        Engine engine = cache.engine(url);
        try {
            long committed = value(units(engine));
            List<MigrationStatus> migrations = value(applied(engine));
            out.print("%nMigration runs before the first use: %d", runs.get());
            migrations.forEach(
                    row -> out.print("  %-26s %s", row.script(), row.state().displayName()));
            Booked booked = value(booked(engine));
            out.print(
                    "%n%,d concurrent units of two inserts: %,d committed; %,d failed and %,d were cancelled between the"
                            + " two.",
                    UNITS, committed, UNITS / 4, UNITS / 4);
            out.print("In the table: %,d rows, sum %,d.", booked.rows(), booked.sum());
            return runs.get() == 1
                    && migrations.size() == SCRIPTS.size()
                    && booked.equals(new Booked(2 * committed, 0))
                    && committed == UNITS / 2;
        } finally {
            drop(engine).then(cache.close()).block();
        }
    }

    private static <T> T value(Mono<T> mono) {
        return Objects.requireNonNull(mono.block());
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

    /** Returns the applied scripts, without the baseline that a database with other tables has. */
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

    /** Emits a value only after a commit. */
    private static Mono<Long> unit(Engine engine, int i) {
        Sinks.Empty<Void> cancel = Sinks.empty();
        Mono<Long> between = switch (i % 4) {
            case 0 -> Mono.error(new IllegalStateException("it fails on purpose"));
            case 1 -> Mono.fromRunnable(cancel::tryEmitEmpty).then(Mono.never());
            default -> Mono.empty();
        };
        return engine.unitOfWork()
                .execute(work ->
                        book(work, -i).update().then(between).then(book(work, i).update()))
                .takeUntilOther(cancel.asMono())
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
