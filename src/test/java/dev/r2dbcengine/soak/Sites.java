package dev.r2dbcengine.soak;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.EngineStatus;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.sql.SqlStatement;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcBadGrammarException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** The permanent databases, the tenants, and the other resources of the operations. */
final class Sites implements AutoCloseable {
    static final String NUMBERS = "select n from number order by n";

    private static final int POOL = 10;
    private static final int TENANTS = 8;
    private static final int COLLECTIONS = 10;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final String SCRIPTS = "classpath:soak";
    private static final Context EMPTY = Context.empty();

    private final Queue<WeakReference<?>> tracked = new ConcurrentLinkedQueue<>();
    private final AtomicLong names = new AtomicLong();
    private final FakeDriver driver = fakeDriver();
    private final TestDatabase postgresql = TestDatabase.fresh(Server.POSTGRESQL);
    private final TestDatabase h2 = TestDatabase.fresh(Server.H2);
    private final ReactiveEngineCache real = cache(POOL).build();
    private final ReactiveEngineCache fake =
            cache(POOL).connectionFactory(options -> driver).build();
    private final ReactiveEngineCache realTenants = tenants().build();
    private final ReactiveEngineCache fakeTenants =
            tenants().connectionFactory(options -> driver).build();
    private final Engine realTenant = realTenants.engine(
            "postgresql", context -> postgresql.url() + "?applicationName=tenant" + context.get("tenant"));
    private final Engine fakeTenant =
            fakeTenants.engine("fake", context -> "r2dbc:fake://host/tenant" + context.get("tenant"));
    private final ReactiveEngineCache failing = cache(1).initializer(
                    engine -> engine.ping().then(Mono.error(OnPurpose::new)))
            .build();
    private final Engine onH2 = real.engine(h2.url());
    private final Engine onPostgresql = real.engine(postgresql.url());
    private final List<Engine> permanent = List.of(onH2, onPostgresql, fake.engine("r2dbc:fake://host/permanent"));

    private Sites() {}

    static Sites open() {
        Sites sites = new Sites();
        migrated(sites.onH2).then(migrated(sites.onPostgresql)).block(LONG);
        return sites;
    }

    private static ReactiveEngineCache.Builder cache(int connections) {
        return ReactiveEngineCache.builder()
                .settings(EngineSettings.builder().maxSize(connections).build())
                .listeners(new Quiet());
    }

    private static ReactiveEngineCache.Builder tenants() {
        return cache(2).maxEngines(TENANTS / 2).idleTimeout(Duration.ofMillis(200));
    }

    private static FakeDriver fakeDriver() {
        FakeDriver driver = new FakeDriver().withoutRecording();
        driver.answer(NUMBERS, 16, n -> FakeRow.of("n", (long) n));
        driver.on(Call.EXECUTE, sql -> sql.startsWith("update")).answersOn(Schedulers.parallel());
        driver.on(Call.COMMIT).answersOn(Schedulers.parallel());
        driver.on(Call.EXECUTE, sql -> sql.contains("nowhere"))
                .fails(new R2dbcBadGrammarException("no table", "42P01", 0, "insert into nowhere"));
        return driver;
    }

    private static Mono<Void> migrated(Engine engine) {
        return MigrationRunner.on(engine).locations(SCRIPTS).migrate().then();
    }

    /** Returns the engines of the permanent databases. */
    List<Engine> engines() {
        return permanent;
    }

    /** Returns statements that exceed any time limit. */
    List<SqlStatement> slow() {
        return List.of(
                onH2.sql("select count(*) from system_range(1, 100000000) where mod(x, 7) = 3"),
                onPostgresql.sql("select 1 from pg_sleep(2)"));
    }

    /** Runs a unit of a tenant on its own engine. */
    Mono<Void> tenants(Dice dice) {
        Engine tenant = dice.oneIn(4) ? realTenant : fakeTenant;
        return tenant.unitOfWork()
                .execute(work -> track(work).sql(NUMBERS).map(Long.class).all().then(Mono.just(1)))
                .contextWrite(EMPTY.put("tenant", dice.below(TENANTS)))
                .then();
    }

    /** Opens, migrates, uses and closes an in-memory database, with or without a name. */
    Mono<Void> newDatabase(Dice dice) {
        ReactiveEngineCache cache = dice.oneIn(2) ? real : track(cache(2).build());
        boolean named = cache == real || dice.oneIn(2);
        Engine engine = track(cache.engine("r2dbc:h2:mem:///" + (named ? "soak" + names.incrementAndGet() : "")));
        Mono<Void> used = migrated(engine)
                .then(engine.pool().doOnNext(this::track))
                .then(engine.unitOfWork().execute(Operation.pairBy(dice.pair())))
                .then();
        return used.then(cache == real ? engine.close() : cache.close());
    }

    private <T> T track(T object) {
        tracked.add(new WeakReference<>(object));
        return object;
    }

    /**
     * Returns which closed caches, engines, pools and completed units are still referenced after garbage collection.
     */
    List<Object> retained() {
        for (int i = 0; i < COLLECTIONS && !tracked.isEmpty(); i++) {
            System.gc();
            tracked.removeIf(reference -> reference.get() == null);
        }
        return tracked.stream()
                .<Object>flatMap(reference -> Stream.ofNullable(reference.get()))
                .toList();
    }

    /** Opens engines that fail: in the initializer, at the login, or without a server. */
    Engine unreachable(Dice dice) {
        return dice.oneOf(List.of(
                failing.engine(h2.url()),
                failing.engine("r2dbc:h2:mem:///"),
                real.engine(postgresql.url("unknown", "wrong")),
                real.engine("r2dbc:postgresql://unknown:wrong@127.0.0.1:1/nowhere")));
    }

    /** Waits until resources are released, and opens all connections of the pools; returns their number. */
    int settle() {
        settled(() -> realTenants.engines().size() + fakeTenants.engines().size(), 0, "engines of idle tenants")
                .block(LONG);
        settled(this::borrowed, 0, "borrowed connections").block(LONG);
        Flux.fromIterable(permanent).concatMap(Sites::openAllConnections).blockLast(LONG);
        int ofPostgresql =
                Objects.requireNonNull(postgresql.sessionsSettlingAt(POOL).block(LONG));
        int ofH2 = Objects.requireNonNull(h2.sessions().block(LONG));
        return ofPostgresql + ofH2 + driver.openConnections();
    }

    private int borrowed() {
        return Flux.just(real, fake)
                .flatMapIterable(ReactiveEngineCache::engines)
                .map(EngineStatus::connections)
                .reduce(0, (sum, connections) -> sum + connections.borrowed())
                .blockOptional()
                .orElseThrow();
    }

    private static Mono<Void> openAllConnections(Engine engine) {
        return engine.pool()
                .flatMap(pool -> Flux.range(0, POOL).flatMap(i -> pool.create()).collectList())
                .flatMapMany(Flux::fromIterable)
                .concatMap(Connection::close)
                .then();
    }

    static Mono<Void> settled(Supplier<Integer> count, int expected, String what) {
        return Mono.fromSupplier(count)
                .repeatWhen(again -> again.delayElements(PAUSE))
                .takeUntil(now -> now == expected)
                .takeUntilOther(Mono.delay(Duration.ofSeconds(30)))
                .last()
                .flatMap(now -> now == expected
                        ? Mono.empty()
                        : Mono.error(new AssertionError(now + " " + what + " in place of " + expected)));
    }

    /** Returns the number of units with only one half. */
    long halfCommitted() {
        return Flux.just(onH2, onPostgresql)
                .concatMap(engine -> engine.sql("select count(*) from pair where a <> b")
                        .map(Long.class)
                        .one())
                .reduce(0L, Long::sum)
                .blockOptional(LONG)
                .orElseThrow();
    }

    /** Returns the violations of the fake driver. */
    List<String> misuses() {
        return driver.violationsButDiscards();
    }

    @Override
    public void close() {
        Flux.just(real, fake, realTenants, fakeTenants, failing)
                .concatMap(ReactiveEngineCache::close)
                .blockLast(LONG);
        postgresql.close();
        h2.close();
    }
}
