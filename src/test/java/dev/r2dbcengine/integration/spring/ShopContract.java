package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.CapturedLogs;
import dev.r2dbcengine.testing.Leaving;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;

/** The whole web application under load, with orders that succeed, fail half-way, or are cancelled by the client. */
abstract class ShopContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long SEED = 20_261_128;
    private static final int ORDERS = Proof.rounds(200, 2_000);

    private final TestDatabase database;
    private final ConnectionProvider sockets = ConnectionProvider.builder("clients")
            .maxConnections(ORDERS)
            .pendingAcquireMaxCount(-1)
            .build();
    private final Random random = new Random(SEED);
    private final Set<Integer> confirmed = ConcurrentHashMap.newKeySet();
    private final Set<Integer> refused = ConcurrentHashMap.newKeySet();
    private final List<Throwable> failed = new CopyOnWriteArrayList<>();
    private final Outcomes outcomes = new Outcomes();
    private ConfigurableApplicationContext shop;
    private WebClient client;

    @SuppressWarnings("NullAway.Init") // before each test
    ShopContract(Server server) {
        database = TestDatabase.fresh(server).keepAlive();
    }

    /** Counts the outcomes of the application's transactions. */
    private static final class Outcomes implements WorkListener {
        final AtomicInteger began = new AtomicInteger();
        final AtomicInteger committed = new AtomicInteger();
        final AtomicInteger rolledBack = new AtomicInteger();
        final AtomicInteger inDoubt = new AtomicInteger();

        @Override
        public void began(WorkExecution unit) {
            began.incrementAndGet();
        }

        @Override
        public void committed(WorkExecution unit, Duration duration) {
            committed.incrementAndGet();
        }

        @Override
        public void rolledBack(WorkExecution unit, Duration duration) {
            rolledBack.incrementAndGet();
        }

        @Override
        public void inDoubt(WorkExecution unit, Throwable failure) {
            inDoubt.incrementAndGet();
        }
    }

    @BeforeEach
    void start() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication application = new SpringApplication(Shop.class);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> {
            context.getBeanFactory().registerSingleton("outcomes", outcomes);
            context.getBeanFactory().registerSingleton("buffers", (NettyServerCustomizer) ShopContract::unpooled);
        });
        shop = application.run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--r2dbc-engine.url=" + database.url(),
                "--r2dbc-engine.pool.max-size=8",
                "--r2dbc-engine.migrate.locations=classpath:shop/migration",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.health.show-details=always",
                "--management.health.defaults.enabled=true");
        client = WebClient.builder()
                .baseUrl("http://localhost:" + Shop.port(shop))
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(sockets)))
                .build();
    }

    /**
     * Disables pooled buffers. If a client cancels while its response is written, Spring 7.0 releases the buffer twice,
     * on the error and on the cancellation; a pooled buffer may then be that of another response, which never
     * completes.
     */
    private static HttpServer unpooled(HttpServer server) {
        return server.childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT);
    }

    @AfterEach
    void stop() {
        shop.close();
        sockets.disposeLater().block(LONG);
        database.close();
    }

    /** One of three orders fails half-way, and one is cancelled by its client at a random time. */
    private Mono<Void> order(int no, boolean cancels) {
        Mono<Void> order = client.post()
                .uri(no % 3 == 1 ? "/orders/{no}?fails=yes" : "/orders/{no}", no)
                .header("X-Tenant", tenant(no))
                .exchangeToMono(response -> {
                    (response.statusCode().is2xxSuccessful() ? confirmed : refused).add(no);
                    return response.releaseBody();
                });
        return no % 3 == 2 && cancels ? Leaving.after(someTime(), order) : order;
    }

    private Duration someTime() {
        return Duration.ofMillis(random.nextInt(ORDERS * 5));
    }

    private static String tenant(int no) {
        return "tenant" + no % 5;
    }

    private void settle() {
        Flux.interval(Duration.ofMillis(5))
                .filter(tick -> shop.getBean(ReactiveEngineCache.class).engines().stream()
                        .allMatch(status -> status.connections().borrowed() == 0
                                && status.connections().awaited() == 0))
                .blockFirst(LONG);
    }

    private <T> List<T> query(String sql, Class<T> type) {
        return Objects.requireNonNull(database.query(sql, type).block(LONG));
    }

    private Set<Integer> stored() {
        assertThat(query(
                        "select no from purchase left join purchase_line on purchase_no = no"
                                + " group by no having count(sku) <> 2",
                        Integer.class))
                .as("partial orders")
                .isEmpty();
        return new HashSet<>(query("select no from purchase", Integer.class));
    }

    @Test
    void ordersUnderLoadAreComplete() {
        Flux.range(0, ORDERS)
                .flatMap(no -> order(no, true).onErrorResume(e -> Mono.fromRunnable(() -> failed.add(e))), ORDERS)
                .blockLast(LONG);
        settle();

        assertThat(failed).as("failed").isEmpty();
        Set<Integer> stored = stored();
        assertThat(stored).containsAll(confirmed).doesNotContainAnyElementsOf(refused);
        assertThat(confirmed.size() + refused.size()).as("some were cancelled").isLessThan(ORDERS);
        assertThat(refused).as("failed half-way").hasSizeGreaterThan(ORDERS / 4).allMatch(no -> no % 3 == 1);
        assertThat(stored).as("only committed orders").hasSize(outcomes.committed.get());
        assertThat(outcomes.began.get()).isEqualTo(outcomes.committed.get() + outcomes.rolledBack.get());
        assertThat(outcomes.inDoubt).hasValue(0);
        assertThat(query("select no from purchase where tenant <> 'tenant' || (no - no / 5 * 5)", Integer.class))
                .as("tenant differs from the header")
                .isEmpty();
        assertMeters();
        assertActuator();
    }

    private void assertMeters() {
        MeterRegistry meters = shop.getBean(MeterRegistry.class);
        assertThat(meters.get("r2dbc.pool.acquired").gauge().value()).isZero();
        assertThat(meters.get("r2dbc.pool.max.allocated").gauge().value()).isEqualTo(8);
        assertThat(units(meters, "committed")).isEqualTo(outcomes.committed.get());
        assertThat(units(meters, "rolled_back")).isEqualTo(outcomes.rolledBack.get());
    }

    private static long units(MeterRegistry meters, String outcome) {
        return meters.find("r2dbc.unit").tag("outcome", outcome).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private void assertActuator() {
        assertThat(get("/actuator/health")).startsWith("{").contains("\"r2dbcEngine\":{", "\"status\":\"UP\"", "OPEN");
        assertThat(get("/actuator/r2dbcmigrations")).contains("V1__create_purchases.sql", "\"state\":\"Success\"");
        assertThat(get("/orders")).isEqualTo(Integer.toString(outcomes.committed.get()));
    }

    private String get(String path) {
        return Objects.requireNonNull(
                client.get().uri(path).retrieve().bodyToMono(String.class).block(LONG));
    }

    @Test
    void closeUnderLoadKeepsConfirmedOrders() throws InterruptedException {
        Thread closing = new Thread(shop::close);
        AtomicInteger answers = new AtomicInteger();
        try (CapturedLogs quiet = CapturedLogs.of("reactor.netty.http.client")) {
            Flux.range(0, ORDERS)
                    .flatMap(
                            no -> order(no, false).onErrorComplete().doFinally(end -> {
                                if (answers.incrementAndGet() == ORDERS / 4) {
                                    closing.start();
                                }
                            }),
                            ORDERS / 4)
                    .blockLast(LONG);
            closing.join(LONG.toMillis());
            assertThat(quiet.lines()).as("of the clients").noneMatch(line -> line.startsWith("ERROR"));
        }

        assertThat(closing.isAlive()).isFalse();
        assertThat(confirmed).isNotEmpty();
        assertThat(stored())
                .containsAll(confirmed)
                .doesNotContainAnyElementsOf(refused)
                .hasSize(outcomes.committed.get());
        assertThat(database.sessionsSettlingAt(0).block(LONG)).isZero();
    }
}
