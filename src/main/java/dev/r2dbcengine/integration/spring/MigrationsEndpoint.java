package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.MigrationVersion;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Actuator endpoint that lists the migrations of each runner of the application, as {@link MigrationRunner#info()}
 * does. Its id differs from Spring Boot's {@code flyway} and {@code liquibase}, so that an application can have all
 * three.
 */
@Endpoint(id = "r2dbcmigrations")
public final class MigrationsEndpoint {

    private final Map<String, MigrationRunner> runners;

    MigrationsEndpoint(Map<String, MigrationRunner> runners) {
        this.runners = runners;
    }

    /**
     * Returns the migrations that were found or applied.
     *
     * @return the migrations of each runner, by bean name
     */
    @ReadOperation
    public Mono<Migrations> migrations() {
        return Flux.fromIterable(runners.entrySet())
                .concatMap(runner -> runner.getValue()
                        .info()
                        .map(found -> Map.entry(
                                runner.getKey(),
                                found.stream().map(MigrationRow::of).toList())))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(Migrations::new);
    }

    /**
     * The response of the endpoint.
     *
     * @param runners the migrations of each runner in order, by bean name
     */
    public record Migrations(Map<String, List<MigrationRow>> runners) {}

    /**
     * One migration.
     *
     * @param version null if it is repeatable
     * @param description from the name of the script
     * @param type the type in the history
     * @param script the name of the script
     * @param state Flyway's name of the state
     * @param applied null if it was not applied
     */
    public record MigrationRow(
            @Nullable String version,
            String description,
            String type,
            String script,
            String state,
            @Nullable Applied applied) {

        static MigrationRow of(MigrationStatus status) {
            MigrationVersion version = status.version();
            AppliedMigration applied = status.applied();
            return new MigrationRow(
                    version == null ? null : version.toString(),
                    status.description(),
                    status.type().name(),
                    status.script(),
                    status.state().toString(),
                    applied == null ? null : Applied.of(applied));
        }
    }

    /**
     * The history row of an applied migration.
     *
     * @param rank the position in the history
     * @param checksum null for code
     * @param installedBy the user who applied it
     * @param installedOn the time by the clock of the database
     * @param milliseconds the duration
     */
    public record Applied(
            int rank, @Nullable Integer checksum, String installedBy, LocalDateTime installedOn, long milliseconds) {

        static Applied of(AppliedMigration row) {
            return new Applied(
                    row.rank(),
                    row.checksum(),
                    row.installedBy(),
                    row.installedOn(),
                    row.executionTime().toMillis());
        }
    }
}
