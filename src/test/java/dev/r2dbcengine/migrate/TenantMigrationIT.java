package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Race;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Migrations in front of an application: an engine, a tenant's too, is not to be had before its database is migrated. */
class TenantMigrationIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String TENANT = "tenant";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final AtomicInteger runs = new AtomicInteger();
    private final List<String> applied = new CopyOnWriteArrayList<>();
    private final ReactiveEngineCache engines =
            ReactiveEngineCache.builder().initializer(this::migrate).build();

    private Mono<MigrationReport> migrate(Engine opened) {
        return Mono.defer(() -> {
            runs.incrementAndGet();
            return MigrationRunner.on(opened)
                    .locations("filesystem:" + directory)
                    .listener(new MigrationListener() {
                        @Override
                        public void applied(ResolvedMigration migration, Duration duration) {
                            applied.add(migration.script());
                        }
                    })
                    .migrate();
        });
    }

    @AfterEach
    void close() {
        engines.close().block(LONG);
    }

    private Engine tenants(Server server, List<TestDatabase> databases) {
        String driver = server == Server.H2 ? "h2" : server == Server.MARIADB ? "mariadb" : "postgresql";
        return engines.engine(
                driver, context -> databases.get(context.<Integer>get(TENANT)).url());
    }

    private static Mono<Long> count(Engine tenants, int tenant) {
        return tenants.sql("select count(*) from t").map(Long.class).one().contextWrite(Context.of(TENANT, tenant));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void firstUsesOfATenantShareOneRun(Server server) throws IOException {
        new MigrationTree(directory)
                .write("V1__t.sql", "create table t(a int);")
                .write("V2__row.sql", "insert into t values (1);");
        try (TestDatabase one = TestDatabase.fresh(server).keepAlive();
                TestDatabase two = TestDatabase.fresh(server).keepAlive();
                Race race = new Race(16)) {
            Engine tenants = tenants(server, List.of(one, two));

            assertThat(race.run(i -> count(tenants, i % 2))).hasSize(16).containsOnly(1L);

            assertThat(runs).hasValue(2);
            assertThat(applied).containsExactlyInAnyOrder("V1__t.sql", "V2__row.sql", "V1__t.sql", "V2__row.sql");
            engines.close().block(LONG);
        }
    }

    /** Of one tenant; the other's engine is open all the while. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void failingMigrationFailsTheOpeningAndTheNextUseRetries(Server server) throws IOException {
        MigrationTree files = new MigrationTree(directory).write("V1__t.sql", "create table t(a int);");
        try (TestDatabase one = TestDatabase.fresh(server).keepAlive();
                TestDatabase two = TestDatabase.fresh(server).keepAlive();
                Race race = new Race(8)) {
            Engine tenants = tenants(server, List.of(one, two));
            StepVerifier.create(count(tenants, 1))
                    .expectNext(0L)
                    .expectComplete()
                    .verify(LONG);
            files.write("V1_1__row.sql", "insert into nosuch values (1);");

            List<Throwable> failures = race.run(i -> count(tenants, 0)
                    .<Throwable>map(rows -> new AssertionError("it is not migrated, and has " + rows + " rows"))
                    .onErrorResume(Mono::just));
            assertThat(failures)
                    .hasSize(8)
                    .allSatisfy(e -> assertThat(e)
                            .isInstanceOf(EngineOpenException.class)
                            .hasMessageNotContaining("nosuch")
                            .cause()
                            .satisfies(cause -> assertThat(cause)
                                    .isInstanceOfAny(MigrationException.class, InvalidMigrationException.class)
                                    .hasMessageContaining("1.1")));
            StepVerifier.create(count(tenants, 1))
                    .expectNext(0L)
                    .expectComplete()
                    .verify(LONG);

            files.write("V1_1__row.sql", "insert into t values (1);");
            repair(one);
            int before = runs.get();
            assertThat(race.run(i -> count(tenants, 0))).hasSize(8).containsOnly(1L);
            assertThat(runs).hasValue(before + 1);
            engines.close().block(LONG);
        }
    }

    /** Repairs the failed row where DDL commits; elsewhere there is none. */
    private void repair(TestDatabase database) {
        ReactiveEngineCache plain = ReactiveEngineCache.create();
        MigrationRunner.on(plain.engine(database.url()))
                .locations("filesystem:" + directory)
                .repair()
                .then(plain.close())
                .block(LONG);
    }
}
