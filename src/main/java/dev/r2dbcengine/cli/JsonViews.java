package dev.r2dbcengine.cli;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.MigrationReport.Executed;
import dev.r2dbcengine.migrate.MigrationStatement;
import dev.r2dbcengine.migrate.MigrationStatus;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.ValidationProblem;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts reports of the library to JSON objects. The member names are public: scripts read them. */
final class JsonViews {

    private JsonViews() {}

    static Map<String, @Nullable Object> executed(Executed executed) {
        return Json.object(
                "rank", executed.rank(),
                "version", text(executed.migration().version()),
                "description", executed.migration().description(),
                "type", executed.migration().type(),
                "script", executed.migration().script(),
                "milliseconds", executed.duration().toMillis());
    }

    /** Adds the history row to a migration that was applied. */
    static Map<String, @Nullable Object> status(MigrationStatus status) {
        AppliedMigration applied = status.applied();
        Map<String, @Nullable Object> json = Json.object(
                "version", text(status.version()),
                "description", status.description(),
                "type", status.type(),
                "script", status.script(),
                "state", status.state());
        if (applied != null) {
            json.putAll(row(applied));
        }
        return json;
    }

    /** Returns the JSON of a history row. */
    static Map<String, @Nullable Object> row(AppliedMigration row) {
        return Json.object(
                "rank", row.rank(),
                "version", text(row.version()),
                "description", row.description(),
                "type", row.type(),
                "script", row.script(),
                "checksum", row.checksum(),
                "installedBy", row.installedBy(),
                "installedOn", row.installedOn(),
                "milliseconds", row.executionTime().toMillis());
    }

    static Map<String, @Nullable Object> problem(ValidationProblem problem) {
        return Json.object(
                "kind", problem.kind(),
                "version", text(problem.migration().version()),
                "script", problem.migration().script(),
                "what", problem.what(),
                "remedy", Wording.of(problem.remedy()));
    }

    static Map<String, @Nullable Object> statement(MigrationStatement statement) {
        return Json.object("script", statement.migration().script(), "line", statement.line(), "sql", statement.text());
    }

    private static @Nullable String text(@Nullable MigrationVersion version) {
        return version == null ? null : version.toString();
    }
}
