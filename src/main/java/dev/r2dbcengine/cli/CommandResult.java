package dev.r2dbcengine.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command.
 *
 * @param exitCode one of the constants below
 * @param json the members of the JSON object, besides {@code command} and {@code exitCode}
 * @param lines the text output
 */
record CommandResult(int exitCode, Map<String, @Nullable Object> json, List<String> lines) {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;
    /** A migration is pending or invalid. */
    static final int NOT_READY = 3;
    /** The exit code of a process that SIGINT has ended, as shells report it: 128 + 2. SIGTERM's is 143. */
    static final int INTERRUPTED = 130;

    /** Returns the JSON object that {@code --json} prints. */
    String json(String command) {
        Map<String, @Nullable Object> all = Json.object("command", command, "exitCode", exitCode);
        all.putAll(json);
        return Json.text(all);
    }
}
