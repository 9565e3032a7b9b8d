package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import org.jspecify.annotations.Nullable;

/** The failure of a callback in the transaction of a migration. Its message is the beginning of a sentence. */
final class CallbackFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable ScriptStatement statement;

    CallbackFailure(String message, @Nullable ScriptStatement statement, Throwable cause) {
        super(message, cause);
        this.statement = statement;
    }

    @Nullable ScriptStatement statement() {
        return statement;
    }
}
