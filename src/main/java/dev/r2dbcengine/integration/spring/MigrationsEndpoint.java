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
 * Lists the migrations of each runner of the application, as {@link MigrationRunner#info()} does. Named like Spring Boot's
 * {@code flyway} and {@code liquibase}, but for what they are: an application may have all three.
 */
@Endpoint(id = "r2dbcmigrations")
public final class MigrationsEndpoint {

    private final Map<String, MigrationRunner> runners;

    MigrationsEndpoint(Map<String, MigrationRunner> runners) {
        this.runners = runners;
    }

    /**
     * The migrations that were found or applied.
     *
     * @return by the name of the runner's bean
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
     * What is told.
     *
     * @param runners migrations in their order, by the name of the runner's bean
     */
    public record Migrations(Map<String, List<MigrationRow>> runners) {}

    /**
     * One migration.
     *
     * @param version null when it is repeatable
     * @param description from its name
     * @param type as the history has it
     * @param script its name
     * @param state where it stands, as Flyway calls it
     * @param applied null when it was not applied
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
     * Its row in the history.
     *
     * @param rank its place
     * @param checksum null for code
     * @param installedBy who applied it
     * @param installedOn when, by the clock of the database
     * @param milliseconds how long it took
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
