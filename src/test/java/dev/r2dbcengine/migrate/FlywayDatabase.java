package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.internal.plan.History;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/** A database that Flyway works on, and its history as values. */
final class FlywayDatabase implements AutoCloseable {

    private final Login login;
    private final Connection connection;
    private final String quote;

    /** A fresh one, on H2. */
    FlywayDatabase() throws SQLException {
        this(new Login("jdbc:h2:mem:" + UUID.randomUUID(), null, null));
    }

    FlywayDatabase(Server server, TestDatabase database) throws SQLException {
        this(Login.of(server, database));
    }

    private FlywayDatabase(Login login) throws SQLException {
        this.login = login;
        connection = DriverManager.getConnection(login.url, login.user, login.password);
        quote = connection.getMetaData().getIdentifierQuoteString();
    }

    FluentConfiguration configure(ClassLoader loader, String... locations) {
        return login.given(Flyway.configure(loader))
                .encoding(StandardCharsets.UTF_8)
                .locations(locations);
    }

    /** Flyway, for a database that is also reached in another way. */
    static FluentConfiguration given(FluentConfiguration configuration, Server server, TestDatabase database) {
        return Login.of(server, database).given(configuration);
    }

    Connection connection() {
        return connection;
    }

    /** SQL with the quotes of this database. */
    String quoted(String standard) {
        return standard.replace("\"", quote);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    List<AppliedMigration> history() throws SQLException {
        if (!hasHistory()) {
            return List.of();
        }
        List<AppliedMigration> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(quoted("select * from \"flyway_schema_history\""))) {
            while (row.next()) {
                rows.add(read(row));
            }
        }
        return rows;
    }

    /** The history by rank, without what a clock says. */
    List<AppliedMigration> historyWithoutTimes() throws SQLException {
        return history().stream()
                .map(row -> new AppliedMigration(
                        row.rank(),
                        row.version(),
                        row.description(),
                        row.type(),
                        row.script(),
                        row.checksum(),
                        row.installedBy(),
                        LocalDateTime.MIN,
                        History.isDelete(row) ? row.executionTime() : Duration.ZERO,
                        row.success()))
                .sorted(Comparator.comparing(AppliedMigration::rank))
                .toList();
    }

    boolean hasHistory() throws SQLException {
        try (ResultSet found = connection
                .getMetaData()
                .getTables(connection.getCatalog(), connection.getSchema(), "flyway_schema_history", null)) {
            return found.next();
        }
    }

    private static AppliedMigration read(ResultSet row) throws SQLException {
        String version = row.getString("version");
        Timestamp installed = row.getTimestamp("installed_on");
        return new AppliedMigration(
                row.getInt("installed_rank"),
                version == null ? null : MigrationVersion.of(version),
                row.getString("description"),
                MigrationType.of(row.getString("type")),
                row.getString("script"),
                row.getObject("checksum", Integer.class),
                row.getString("installed_by"),
                installed.toLocalDateTime(),
                Duration.ofMillis(row.getInt("execution_time")),
                row.getBoolean("success"));
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private record Login(
            String url, @Nullable String user, @Nullable String password) {

        static Login of(Server server, TestDatabase database) {
            return server == Server.H2
                    ? new Login(database.jdbcUrl(), null, null)
                    : new Login(database.jdbcUrl(), database.user(), database.password());
        }

        FluentConfiguration given(FluentConfiguration configuration) {
            return configuration.dataSource(url, user, password);
        }
    }

    /** One row of Flyway's info and of ours, in the same words. */
    record Row(
            String state,
            @Nullable String version,
            String description,
            String type,
            String script,
            @Nullable Integer checksum,
            @Nullable Integer rank) {

        static List<Row> ofFlyway(Flyway flyway) {
            return Arrays.stream(flyway.info().all()).map(Row::of).toList();
        }

        static Row of(MigrationInfo info) {
            return new Row(
                    info.getState().getDisplayName(),
                    info.getVersion() == null ? null : info.getVersion().getVersion(),
                    info.getDescription(),
                    info.getType().name(),
                    info.getScript(),
                    info.getChecksum(),
                    info.getInstalledRank());
        }

        static Row of(MigrationStatus status) {
            return new Row(
                    status.state().displayName(),
                    status.version() == null ? null : Objects.toString(status.version()),
                    status.description(),
                    status.type().name(),
                    status.script(),
                    status.checksum(),
                    status.applied() == null ? null : status.applied().rank());
        }

        static List<Row> of(List<MigrationStatus> migrations) {
            return migrations.stream().map(Row::of).toList();
        }
    }
}
