package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.WorkListener;
import io.r2dbc.spi.ConnectionFactories;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Misbehaving functions and listeners of a cache never hang a subscriber, and later subscribers get an engine. */
class UserCodeOfEnginesTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofMillis(60);

    /** Configures code with the given behavior in one place of a cache. */
    private interface Use {
        ReactiveEngineCache.Builder in(ReactiveEngineCache.Builder builder, Supplier<Conduct> conduct);
    }

    @SuppressWarnings("NullAway") // null is a behavior under test
    enum Place {
        SETTINGS(
                true,
                (builder, conduct) -> builder.settings(options -> conduct.get().value(EngineSettings.defaults()))),
        CONNECTION_FACTORY(
                true,
                (builder, conduct) ->
                        builder.connectionFactory(options -> conduct.get().value(ConnectionFactories.get(options)))),
        CREDENTIALS(
                true,
                (builder, conduct) ->
                        builder.credentials(options -> conduct.get().mono(Mono.just(new Credentials("sa", ""))))),
        INITIALIZER(
                true,
                (builder, conduct) -> builder.initializer(engine -> conduct.get()
                        .publisher(engine.sql("select 1").map(Integer.class).one()))),
        ENGINE_LISTENER(false, (builder, conduct) -> builder.listener(listener(EngineListener.class, conduct))),
        SQL_LISTENER(false, (builder, conduct) -> builder.listener(listener(SqlListener.class, conduct))),
        WORK_LISTENER(false, (builder, conduct) -> builder.listener(listener(WorkListener.class, conduct)));

        private final boolean opens;

        @SuppressWarnings("ImmutableEnumChecker") // without state
        private final Use use;

        /** @param opens whether it is called once to open an engine; otherwise it is called at each event */
        Place(boolean opens, Use use) {
            this.opens = opens;
            this.use = use;
        }
    }

    private static <L> L listener(Class<L> kind, Supplier<Conduct> conduct) {
        return kind.cast(
                Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (proxy, event, arguments) -> {
                    conduct.get().run();
                    return null;
                }));
    }

    static Stream<Arguments> cells() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.of(Conduct.values()).map(conduct -> Arguments.of(place, conduct)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void misbehavingCodeTerminatesAndNextSubscriberGetsEngine(Place place, Conduct conduct) {
        AtomicInteger calls = new AtomicInteger();
        Supplier<Conduct> once = () -> place.opens && calls.getAndIncrement() > 0 ? Conduct.BEHAVES : conduct;
        ReactiveEngineCache cache = place.use
                .in(ReactiveEngineCache.builder().closeTimeout(LIMIT), once)
                .build();
        Engine engine = cache.engine("r2dbc:h2:mem:///code" + UUID.randomUUID());
        Mono<Integer> unit = engine.unitOfWork()
                .execute(work -> work.sql("select 1").map(Integer.class).one());

        Throwable failure = failure(conduct == Conduct.NEVER_COMPLETES ? unit.timeout(LIMIT) : unit);

        if (place.opens && conduct.throwsAtOnce()) {
            assertThat(chain(failure)).contains(conduct.thrown());
        } else if (!place.opens) {
            assertThat(failure).isNull();
        }
        if (conduct != Conduct.NEVER_COMPLETES) {
            StepVerifier.create(unit).expectNext(1).expectComplete().verify(LONG);
        }
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
    }

    @ParameterizedTest
    @MethodSource("conducts")
    void misbehavingTenantFunctionTerminatesSubscription(Conduct conduct) {
        ReactiveEngineCache cache = ReactiveEngineCache.create();
        @SuppressWarnings("NullAway") // null is a behavior under test
        Engine engine = cache.engine("h2", context -> conduct.value("r2dbc:h2:mem:///tenant"));
        Throwable failure = failure(engine.sql("select 1").map(Integer.class).one());
        if (conduct.throwsAtOnce()) {
            assertThat(chain(failure)).contains(conduct.thrown());
        }
        assertThat(failure(engine.unitOfWork().execute(work -> Mono.just(1)).then(engine.close())) == null)
                .isEqualTo(failure == null);
        StepVerifier.create(cache.close()).expectComplete().verify(LONG);
    }

    static Stream<Conduct> conducts() {
        return Stream.of(Conduct.values());
    }

    private static @Nullable Throwable failure(Mono<?> use) {
        try {
            Flux.from(use).blockLast(LONG);
            return null;
        } catch (Throwable e) {
            assertThat(e).hasMessageNotContaining("Timeout on blocking read");
            return Exceptions.unwrap(e);
        }
    }

    private static Stream<Throwable> chain(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }
}
