package dev.r2dbcengine.cli;

import dev.r2dbcengine.migrate.MigrationRunner;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import reactor.core.publisher.Mono;

/**
 * A command that calls a migration runner.
 *
 * @param name the name of the command
 * @param kind whether it reads scripts and changes the database
 * @param summary for the help
 * @param examples for the help, without the name
 * @param options besides the common ones
 * @param run runs the command
 */
record Task(
        String name,
        Kind kind,
        String summary,
        List<String> examples,
        List<OptionSpec> options,
        Function<Call, Mono<CommandResult>> run) {

    /** Whether a command reads scripts and whether it changes the database. */
    enum Kind {
        /** Reads scripts and changes nothing. */
        READ,
        /** Reads scripts and changes the database. */
        RUN,
        /** Changes the database without reading scripts. */
        RUN_WITHOUT_SCRIPTS;

        boolean readsScripts() {
            return this != RUN_WITHOUT_SCRIPTS;
        }

        boolean changes() {
            return this != READ;
        }
    }

    /**
     * A call of a command.
     *
     * @param runner with all settings
     * @param flags the flags of the call
     * @param shell the environment of the process
     */
    record Call(MigrationRunner runner, ParseResult flags, Shell shell) {
        String value(String flag) {
            return flags.matchedOptionValue(flag, "");
        }

        boolean has(String flag) {
            return flags.hasMatchedOption(flag);
        }
    }
}
