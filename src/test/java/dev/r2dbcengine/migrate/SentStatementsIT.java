package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.EachServer;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Wrapped;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** {@link MigrationRunner#statements()} emits the statements that the driver receives. */
class SentStatementsIT {
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<String> besides = new CopyOnWriteArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** Scripts go to drivers as batches of one; nothing else does. */
    private record HistoryRecorder(ConnectionFactory driver, List<String> sent, List<String> besides)
            implements ConnectionFactory {

        @Override
        public Publisher<? extends Connection> create() {
            return Mono.fromDirect(driver.create()).map(this::recorded);
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return driver.getMetadata();
        }

        private Connection recorded(Connection connection) {
            Class<?>[] types = {Connection.class, Wrapped.class};
            return (Connection) Proxy.newProxyInstance(types[0].getClassLoader(), types, (self, method, args) -> {
                if (method.getName().equals("createStatement")) {
                    besides.add((String) args[0]);
                }
                Object result = method.getName().equals("unwrap")
                        ? unwrapped(connection, args)
                        : call(connection, method, args);
                return result instanceof Batch batch ? recorded(batch) : result;
            });
        }

        private static @Nullable Object unwrapped(Connection connection, Object @Nullable [] args) {
            return args == null || ((Class<?>) args[0]).isInstance(connection) ? connection : null;
        }

        private Batch recorded(Batch batch) {
            return (Batch) Proxy.newProxyInstance(
                    Batch.class.getClassLoader(), new Class<?>[] {Batch.class}, (self, method, args) -> {
                        if (method.getName().equals("add")) {
                            sent.add((String) args[0]);
                        }
                        return call(batch, method, args);
                    });
        }

        private static Object call(Object on, Method method, Object[] args) throws Throwable {
            try {
                return method.invoke(on, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    @ParameterizedTest
    @EachServer
    void emittedStatementsAreSent(Server server) throws IOException {
        new MigrationTree(directory)
                .write("V1__one.sql", "create table one (id int, name varchar(40));\n-- the end\n")
                .write(
                        "V2__two.sql",
                        "-- ${who}\ninsert into one values (1, '${who}; and :more');insert into one values (2, 'x') -- x\n")
                .write("R__again.sql", special(server));
        ReactiveEngineCache engines = ReactiveEngineCache.builder()
                .connectionFactory(options -> new HistoryRecorder(ConnectionFactories.get(options), sent, besides))
                .build();
        try (TestDatabase database = TestDatabase.fresh(server).keepAlive()) {
            Engine engine = engines.engine(database.url());
            MigrationRunner runner = MigrationRunner.on(engine)
                    .locations("filesystem:" + directory)
                    .placeholders(Map.of("who", "Ada"));
            List<String> told = runner.statements()
                    .map(MigrationStatement::text)
                    .collectList()
                    .block();

            assertThat(told).hasSize(4).anyMatch(text -> text.contains("Ada; and"));
            StepVerifier.create(runner.migrate()).expectNextCount(1).verifyComplete();
            assertThat(sent).isEqualTo(told);
            assertThat(besides)
                    .as("a session that no script changes is not brought back")
                    .isNotEmpty()
                    .noneMatch(sql -> sql.matches("(use |set (?!names)|select set_config).*"));
            assertThat(runner.statements().collectList().block()).isEmpty();
            engines.close().block();
        }
    }

    /** A statement that the driver needs in another form than the script has. */
    private static String special(Server server) {
        return switch (server) {
            case H2 -> "create or replace view again as select 'a;b' as ab;\n";
            case POSTGRESQL -> "insert into one values (3, E'it\\'s');\n";
            case MARIADB ->
                "delimiter //\ncreate or replace procedure again() begin lp:loop leave lp; end loop; end//\n";
            case MYSQL -> "create or replace view again as select 'a;b' as ab;\n";
        };
    }
}
