package dev.r2dbcengine.benchmarks;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** Creates databases. */
interface MigrationServer {

    String name();

    Database create() throws SQLException;

    void close() throws IOException;

    static List<MigrationServer> all() throws IOException {
        return List.of(new InMemory(), PostgreSql.start());
    }

    /**
     * A database with its URLs.
     *
     * @param keeper keeps an in-memory database alive
     * @param rollsBack whether its DDL is rolled back
     * @param restore resets a session: a statement, or the columns that an insert returns where DDL is rolled back
     * @param history creates the history table
     */
    record Database(
            String r2dbcUrl,
            String jdbcUrl,
            String user,
            String password,
            ConnectionFactory factory,
            Connection keeper,
            boolean rollsBack,
            String restore,
            String... historyTable)
            implements AutoCloseable {

        static Database of(String r2dbcUrl, String jdbcUrl, String user, boolean rollsBack, String restore)
                throws SQLException {
            return new Database(
                    r2dbcUrl,
                    jdbcUrl,
                    user,
                    user,
                    ConnectionFactories.get(r2dbcUrl),
                    DriverManager.getConnection(jdbcUrl, user, user),
                    rollsBack,
                    restore,
                    TABLE,
                    INDEX);
        }

        Stream<String> history() {
            return Stream.of(historyTable);
        }

        long count(String table) {
            try (Statement statement = keeper.createStatement();
                    ResultSet row = statement.executeQuery("select count(*) from " + table)) {
                row.next();
                return row.getLong(1);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws SQLException {
            keeper.close();
        }
    }

    /** H2. */
    final class InMemory implements MigrationServer {
        private int databases;

        @Override
        public String name() {
            return "h2";
        }

        @Override
        public Database create() throws SQLException {
            String name = "m" + databases++;
            return Database.of("r2dbc:h2:mem:///" + name, "jdbc:h2:mem:" + name, null, false, "set schema \"PUBLIC\"");
        }

        @Override
        public void close() {
            // Each database ends with its last connection.
        }
    }

    /** PostgreSQL. */
    final class PostgreSql implements MigrationServer {
        private final EmbeddedPostgres server;
        private int databases;

        private PostgreSql(EmbeddedPostgres server) {
            this.server = server;
        }

        /** The PostgreSQL server of this process. */
        static PostgreSql start() throws IOException {
            return new PostgreSql(EmbeddedPostgres.start());
        }

        @Override
        public String name() {
            return "postgresql";
        }

        @Override
        public Database create() throws SQLException {
            String name = "m" + databases++;
            String at = "localhost:" + server.getPort() + "/";
            try (Connection connection = DriverManager.getConnection(
                            "jdbc:postgresql://" + at + "postgres", "postgres", "postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("create database " + name);
            }
            return Database.of(
                    "r2dbc:postgresql://postgres:postgres@" + at + name,
                    "jdbc:postgresql://" + at + name,
                    "postgres",
                    true,
                    "set_config('search_path', '\"$user\", public', false), set_config('role', 'none', false)");
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    String TABLE = """
        create table "flyway_schema_history" ("installed_rank" int not null primary key, "version" varchar(50),
          "description" varchar(200) not null, "type" varchar(20) not null, "script" varchar(1000) not null,
          "checksum" integer, "installed_by" varchar(100) not null,
          "installed_on" timestamp not null default current_timestamp, "execution_time" integer not null,
          "success" boolean not null)\
        """;
    String INDEX = "create index \"flyway_schema_history_s_idx\" on \"flyway_schema_history\" (\"success\")";
}
