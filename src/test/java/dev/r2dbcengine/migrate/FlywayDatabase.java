package dev.r2dbcengine.migrate;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/** A fresh H2 database that Flyway works on, and its history as values. */
final class FlywayDatabase implements AutoCloseable {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final Connection connection;

    FlywayDatabase() throws SQLException {
        connection = DriverManager.getConnection(url);
    }

    FluentConfiguration configure(ClassLoader loader, String... locations) {
        return Flyway.configure(loader)
                .dataSource(url, null, null)
                .encoding(StandardCharsets.UTF_8)
                .locations(locations);
    }

    /** Flyway on a database of the tests. */
    static Flyway on(Server server, TestDatabase database, FluentConfiguration configuration) {
        String url = server == Server.H2
                ? "jdbc:h2:mem:" + database.name()
                : "jdbc:" + (server == Server.MARIADB ? "mariadb" : "postgresql") + "://" + database.host() + ":"
                        + database.port() + "/" + database.name();
        boolean open = server == Server.H2;
        return configuration
                .dataSource(url, open ? null : database.user(), open ? null : database.password())
                .load();
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    List<AppliedMigration> history() throws SQLException {
        if (!connection
                .getMetaData()
                .getTables(null, "PUBLIC", "flyway_schema_history", null)
                .next()) {
            return List.of();
        }
        List<AppliedMigration> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from \"flyway_schema_history\"")) {
            while (row.next()) {
                rows.add(read(row));
            }
        }
        return rows;
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

    /** What Flyway's info and ours say of a migration, with the same words. */
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
