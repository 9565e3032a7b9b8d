package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Explains an application that does not start because its engine does not open or its migrations fail: in a few lines instead
 * of a stack trace. The messages of these exceptions say what to do, in the names of the properties, and contain no secret.
 */
final class EngineFailureAnalyzer implements FailureAnalyzer {

    private static final int MAX_CAUSES = 32;

    private static final String MIGRATIONS = "Correct the migrations and start the application again. The endpoint"
            + " r2dbcmigrations and the command line's info show their state; r2dbc-engine.migrate.enabled=false starts the"
            + " application without them.";

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
            if (cause instanceof EngineOpenException) {
                return analysis(cause, "Correct the URL of the database.");
            } else if (cause instanceof MigrationException || cause instanceof InvalidMigrationException) {
                return analysis(cause, MIGRATIONS);
            }
        }
        return null;
    }

    /* The first sentence says what happened, the others what to do. */
    private static FailureAnalysis analysis(Throwable e, String otherwise) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf(". ");
        return end < 0
                ? new FailureAnalysis(message, otherwise, e)
                : new FailureAnalysis(message.substring(0, end + 1), message.substring(end + 2), e);
    }
}
