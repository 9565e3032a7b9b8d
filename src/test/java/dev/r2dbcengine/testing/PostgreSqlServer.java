package dev.r2dbcengine.testing;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** PostgreSQL: one server for all databases of this JVM. */
final class PostgreSqlServer implements TestServer {
    private static final String OTHERS = " from pg_stat_activity where datname = current_database()"
            + " and pid <> pg_backend_pid() and backend_type = 'client backend'";

    private final RunningServer running =
            new RunningServer("postgresql", "test.postgresql.url", EmbeddedPostgreSql::start);

    /** One connection for this JVM, since connecting takes longer than its queries. */
    private final Mono<Connection> administrator = Mono.defer(
                    () -> TestServer.connect(running.administration("postgres")))
            .cacheInvalidateIf(connection -> false);

    private final AtomicInteger made = new AtomicInteger();
    private Mono<String> spare = another();

    @Override
    public ConnectionFactoryOptions database(String name) {
        return running.database(name);
    }

    /**
     * Creating a database takes longer than most tests with one. On a server that ends with this JVM, the next one is
     * created in advance and renamed when it is needed.
     */
    @Override
    public Mono<Void> create(String database) {
        return running.isOurs()
                ? Mono.defer(this::takeSpare)
                        .flatMap(name -> administer("alter database " + name + " rename to \"" + database + "\""))
                : administer("create database \"" + database + "\"");
    }

    private synchronized Mono<String> takeSpare() {
        Mono<String> taken = spare;
        Mono<String> next = another();
        spare = next;
        return taken.doOnNext(name -> next.subscribe());
    }

    private Mono<String> another() {
        String name = "spare" + made.incrementAndGet();
        return administer("create database " + name).thenReturn(name).cache();
    }

    @Override
    public Mono<Void> drop(String database) {
        return administer("drop database if exists \"" + database + "\" with (force)");
    }

    @Override
    public String countSessions(String database) {
        return "select count(*)::int" + OTHERS;
    }

    @Override
    public Mono<Void> endOtherSessions(Connection connection) {
        return execute(connection, "select pg_terminate_backend(pid)" + OTHERS);
    }

    @Override
    public List<String> createUser(String database, String user, String password) {
        return List.of(
                "create role \"" + user + "\" login password " + TestServer.quoted(password),
                "grant all on database \"" + database + "\" to \"" + user + "\"",
                "grant all on schema public to \"" + user + "\"");
    }

    @Override
    public String changePassword(String user, String password) {
        return "alter role \"" + user + "\" password " + TestServer.quoted(password);
    }

    @Override
    public Mono<Void> dropUser(String user) {
        return administer("drop role if exists \"" + user + "\"");
    }

    private Mono<Void> administer(String sql) {
        return administrator.flatMap(connection -> execute(connection, sql));
    }
}
