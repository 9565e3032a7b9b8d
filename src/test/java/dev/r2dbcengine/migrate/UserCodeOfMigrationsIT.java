package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Conduct;
import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/** A run ends and releases its lock, however the code of the application behaves in it. */
class UserCodeOfMigrationsIT {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final ReactiveEngineCache CACHE = ReactiveEngineCache.create();

    enum Place {
        SOURCE_OF_FILES,
        SOURCE_OF_CODE,
        MIGRATION,
        CHECKSUM,
        DESCRIPTION,
        CALLBACK,
        CALLBACK_NAME,
        CALLBACK_SUPPORTS,
        LISTENER
    }

    /** Migrations that take a run of their own to end are not limited: a subscriber who cancels does not stop them. */
    static Stream<Arguments> cells() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.of(Conduct.values())
                        .filter(conduct -> conduct != Conduct.NEVER_COMPLETES)
                        .map(conduct -> Arguments.of(place, conduct)));
    }

    @AfterAll
    static void close() {
        CACHE.close().block(LONG);
    }

    /** The code of an application, of which one place misbehaves. */
    @SuppressWarnings("NullAway") // null is a conduct
    private record Code(Place place, Conduct conduct) implements MigrationSource, Migration, MigrationCallback {

        private Conduct at(Place there) {
            return place == there ? conduct : Conduct.BEHAVES;
        }

        @Override
        public List<MigrationFile> files() {
            return at(Place.SOURCE_OF_FILES).value(List.of());
        }

        @Override
        public List<Migration> migrations() {
            return at(Place.SOURCE_OF_CODE).value(List.of(this));
        }

        @Override
        public MigrationVersion version() {
            return MigrationVersion.of("1");
        }

        @Override
        public String description() {
            return at(Place.DESCRIPTION).value("code");
        }

        @Override
        public @Nullable Integer checksum() {
            return at(Place.CHECKSUM).value(7);
        }

        @Override
        public Publisher<?> migrate(Engine engine) {
            return at(Place.MIGRATION)
                    .publisher(engine.sql("select 1").map(Integer.class).one());
        }

        @Override
        public boolean supports(CallbackEvent event) {
            at(Place.CALLBACK_SUPPORTS).run();
            return event == CallbackEvent.AFTER_MIGRATE;
        }

        @Override
        public String name() {
            return at(Place.CALLBACK_NAME).value("callback");
        }

        @Override
        public boolean inTransaction(CallbackEvent event) {
            return true;
        }

        @Override
        public Publisher<?> on(CallbackEvent event, @Nullable ResolvedMigration migration, Engine engine) {
            return at(Place.CALLBACK)
                    .publisher(engine.sql("select 1").map(Integer.class).one());
        }
    }

    private static MigrationRunner runner(Engine engine, Code code) {
        return MigrationRunner.on(engine)
                .locations()
                .sources(code)
                .callbacks(code)
                .lockTimeout(Duration.ofSeconds(5))
                .listener(listener(code.at(Place.LISTENER)));
    }

    private static MigrationListener listener(Conduct conduct) {
        return (MigrationListener) Proxy.newProxyInstance(
                MigrationListener.class.getClassLoader(),
                new Class<?>[] {MigrationListener.class},
                (proxy, method, arguments) ->
                        conduct.value(method.getReturnType().isInstance(proxy) ? proxy : ""));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void misbehavingCodeEndsTheRunAndLeavesNoLock(Place place, Conduct conduct) {
        Engine engine = CACHE.engine("r2dbc:h2:mem:///code" + UUID.randomUUID());
        Throwable failure = failure(runner(engine, new Code(place, conduct)).migrate());
        if (place == Place.LISTENER) {
            assertThat(failure).isNull();
        } else if (conduct.throwsAtOnce()) {
            assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
                    .contains(conduct.thrown());
        }
        MigrationRunner good = runner(engine, new Code(place, Conduct.BEHAVES));
        assertThat(failure(good.repair().then(good.validateOnMigrate(false).migrate())))
                .isNull();
        engine.close().block(LONG);
    }

    private static @Nullable Throwable failure(Mono<?> run) {
        try {
            run.block(LONG);
            return null;
        } catch (Throwable e) {
            assertThat(e).hasMessageNotContaining("Timeout on blocking read");
            return Exceptions.unwrap(e);
        }
    }
}
