package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.EngineStatus.Connections;
import dev.r2dbcengine.testing.FaultyNetwork;
import dev.r2dbcengine.testing.FaultyNetwork.Fault;
import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import dev.r2dbcengine.testing.TripWire;
import dev.r2dbcengine.testing.TripWire.Moment;
import dev.r2dbcengine.testing.TripWire.Point;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ValidationDepth;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Mono;

/**
 * A network that fails in each way at each point of an engine's work. The operation in progress ends within the configured
 * limits, with an error that explains it, and leaves nothing behind; once the network is back, the same engine works.
 */
class FaultyNetworkIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final int ROWS = 2_000;
    private static final int AT_ONCE = 16;

    private static final Map<Server, TestDatabase> DATABASES = new EnumMap<>(Server.class);
    private static final ExecutorService CELLS = Executors.newFixedThreadPool(AT_ONCE);

    @BeforeAll
    static void startServers() {
        for (Server server : List.of(Server.POSTGRESQL, Server.MARIADB)) {
            TestDatabase database = TestDatabase.fresh(server);
            DATABASES.put(server, database);
            String rows =
                    IntStream.range(0, ROWS).mapToObj("('row-%04d')"::formatted).collect(Collectors.joining(","));
            database.execute("create table line (text varchar(20))", "insert into line values " + rows)
                    .block(LONG);
        }
        // Initialization that happens once in a JVM takes longer than the limits.
        for (Server server : DATABASES.keySet()) {
            for (FaultPoint point : FaultPoint.values()) {
                warmUp(point, Objects.requireNonNull(DATABASES.get(server)));
            }
        }
    }

    private static void warmUp(FaultPoint point, TestDatabase database) {
        NetworkedEngine on = NetworkedEngine.at(database.url(), database, (point + "_warm").toLowerCase(Locale.ROOT));
        point.run(on, LONG).onErrorComplete().block(LONG);
        on.engines().close().block(LONG);
    }

    @AfterAll
    static void stopServers() {
        CELLS.shutdown();
        DATABASES.values().forEach(TestDatabase::close);
    }

    /** Most of their time they wait for a limit, and so they do it beside each other: those that wait longest begin. */
    @TestFactory
    List<DynamicTest> theNetworkFails() {
        return Stream.of(Fault.SILENT, Fault.SLOW, Fault.CUT, Fault.RESET)
                .flatMap(fault -> Stream.of(FaultPoint.values())
                        .flatMap(point -> DATABASES.keySet().stream().map(server -> new Cell(server, point, fault))))
                .filter(cell -> Proof.rounds(0, 1) == 1 || cell.fault != Fault.SILENT || !cell.at.takesLong())
                .map(FaultyNetworkIT::begun)
                .toList();
    }

    private static DynamicTest begun(Cell cell) {
        Future<?> running = CELLS.submit(() -> {
            cell.run();
            return null;
        });
        return DynamicTest.dynamicTest(cell.toString(), running::get);
    }

    private record Cell(Server server, FaultPoint at, Fault fault) {

        @Override
        public String toString() {
            return server + " " + at + " " + fault;
        }

        /** A lost connection ends the operation at once, but a snapshot is read again until its limit. */
        private Duration limit() {
            return fault == Fault.SILENT || (fault != Fault.SLOW && at == FaultPoint.LOOK) ? SHORT : LONG;
        }

        void run() throws IOException {
            TestDatabase database = Objects.requireNonNull(DATABASES.get(server));
            AtomicReference<@Nullable FaultyNetwork> outside = new AtomicReference<>();
            Point point = Objects.requireNonNullElse(at.point(server), new Point("", 0, Moment.SENT));
            try (TripWire wire = new TripWire(database, point, () -> {
                        Objects.requireNonNull(outside.get()).fail(fault);
                        return fault == Fault.SLOW || at.isDone();
                    });
                    FaultyNetwork network = new FaultyNetwork(wire)) {
                outside.set(network);
                String name = (at + "_" + fault).toLowerCase(Locale.ROOT);
                NetworkedEngine on = NetworkedEngine.at(network.url(), database, name);
                fail(on, network);
                assertThat(at.point == null || wire.isDone()).as("reached").isTrue();
                goOn(on);
                on.engines().close().block(LONG);
                assertSettled(on, network);
            }
        }

        private void fail(NetworkedEngine on, FaultyNetwork network) {
            if (at != FaultPoint.OPEN) {
                on.engine().open().block(LONG);
            }
            Mono<Void> release = occupied(on);
            if (at.point == null) {
                network.fail(fault);
            }
            long start = System.nanoTime();
            Throwable error = error(at.run(on, limit()));
            Proof.figure("%s: %d ms, %s"
                    .formatted(this, Duration.ofNanos(System.nanoTime() - start).toMillis(), error));
            assertEnded(error);
            if (fault == Fault.SILENT) {
                awaited(Mono.fromSupplier(() -> strays(on.connections(), network) <= 1), true);
            }
            network.heal();
            release.block(LONG);
            assertSettled(on, network);
        }

        private Mono<Void> occupied(NetworkedEngine on) {
            Connection held = switch (at) {
                case BORROW -> on.withOneBorrowed();
                case LOCK_AWAITED -> on.withLockHeld();
                default -> null;
            };
            return held == null ? Mono.empty() : Mono.defer(() -> given(held));
        }

        /** An acquisition at the moment when the driver notices the loss fails. */
        private Mono<Void> given(Connection held) {
            if (at == FaultPoint.BORROW && (fault == Fault.CUT || fault == Fault.RESET)) {
                // r2dbc-mariadb answers with what was true when it was asked, and not when that is subscribed.
                awaited(Mono.defer(() -> Mono.from(held.validate(ValidationDepth.LOCAL))), false);
            }
            return Mono.from(held.close());
        }

        private static @Nullable Throwable error(Mono<?> run) {
            return Objects.requireNonNull(run.materialize().block(LONG)).getThrowable();
        }

        private void assertEnded(@Nullable Throwable error) {
            Class<? extends Throwable> expected = switch (fault) {
                case SLOW -> at == FaultPoint.ROLLBACK || at == FaultPoint.LOCK_AWAITED ? at.lost : null;
                case CUT, RESET -> at.lost;
                case SILENT -> at.silent;
            };
            if (expected == null) {
                assertThat(error).isNull();
            } else {
                assertThat(error).isInstanceOf(expected);
                if (fault == Fault.SILENT && at.tellsLimit()) {
                    assertThat(error).hasMessageContaining(at.told(limit()));
                } else if (fault == Fault.CUT || fault == Fault.RESET) {
                    assertThat(String.valueOf(error)).contains(at.messageOfLoss(limit()));
                }
            }
        }

        /** A script that was cut short on a database that cannot take it back is for people to look at. */
        private void goOn(NetworkedEngine on) {
            Throwable error = error(at.run(on, LONG)
                    .map(Object::toString)
                    .onErrorResume(
                            InvalidMigrationException.class,
                            e -> on.runner().repair().then(at.run(on, LONG).map(Object::toString))));
            if (at == FaultPoint.ROLLBACK) {
                assertThat(error).isInstanceOf(NetworkedEngine.OnPurpose.class);
            } else {
                assertThat(error).isNull();
            }
            long first = at.isDone() || fault == Fault.SLOW ? 1 : 0;
            assertThat(on.inserted()).as("inserted").isEqualTo(at.inserts() ? first + 1 : 0);
        }

        /**
         * Connections outside the pool; one that is lost counts there until it is to be borrowed. In a silence there may be
         * one that was asked for meanwhile: drivers do not close what they are still logging in on when that is cancelled.
         */
        private static long strays(Connections pool, FaultyNetwork network) {
            return Math.max(0, network.connections() - pool.idle() - pool.borrowed());
        }

        private static void assertSettled(NetworkedEngine on, FaultyNetwork network) {
            awaited(
                    Mono.fromSupplier(() -> {
                        Connections pool = on.connections();
                        return "%d borrowed, %d awaited, %d stray"
                                .formatted(pool.borrowed(), pool.awaited(), strays(pool, network));
                    }),
                    "0 borrowed, 0 awaited, 0 stray");
        }

        /** Cleanup in the background may take a moment. */
        private static <T> void awaited(Mono<T> look, T expected) {
            assertThat(look.repeatWhen(again -> again.delayElements(Duration.ofMillis(10)))
                            .takeUntil(expected::equals)
                            .takeUntilOther(Mono.delay(LONG))
                            .blockLast())
                    .isEqualTo(expected);
        }
    }
}
