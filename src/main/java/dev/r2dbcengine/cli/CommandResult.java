package dev.r2dbcengine.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command tells in the end.
 *
 * @param exitCode one of those below
 * @param json the members of the object
 * @param lines for people
 */
record CommandResult(int exitCode, Map<String, @Nullable Object> json, List<String> lines) {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;
    /** There is something to be done, or to be put right. */
    static final int NOT_READY = 3;
    /** What a shell knows an interrupted process by. */
    static final int INTERRUPTED = 130;

    /** The whole object. */
    String json(String command) {
        Map<String, @Nullable Object> all = Json.object("command", command, "exitCode", exitCode);
        all.putAll(json);
        return Json.text(all);
    }
}
