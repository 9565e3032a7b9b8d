package dev.r2dbcengine.cli;

import dev.r2dbcengine.migrate.MigrationRunner;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import reactor.core.publisher.Mono;

/**
 * A command that asks a runner for something.
 *
 * @param name what it is called
 * @param kind what it needs, and whether it changes the database
 * @param summary what it does
 * @param examples what follows its name, and what that does
 * @param options beside those of all
 * @param run does it
 */
record Task(
        String name,
        Kind kind,
        String summary,
        List<String> examples,
        List<OptionSpec> options,
        Function<Call, Mono<CommandResult>> run) {

    /** What a command needs. */
    enum Kind {
        /** Reads scripts, and changes nothing. */
        LOOK,
        /** Reads scripts, and changes the database. */
        RUN,
        /** Changes the database, whatever scripts there are. */
        RUN_WITHOUT_SCRIPTS;

        boolean readsScripts() {
            return this != RUN_WITHOUT_SCRIPTS;
        }

        boolean changes() {
            return this != LOOK;
        }
    }

    /**
     * A call of it.
     *
     * @param runner with all settings
     * @param flags that were given
     * @param shell who calls
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
