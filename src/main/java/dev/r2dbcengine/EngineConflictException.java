package dev.r2dbcengine;

import java.util.regex.Pattern;

/**
 * Thrown if a URL names a different value for a setting than an earlier URL of the same engine. The engine is not
 * affected; only the subscription with the second URL fails.
 */
public final class EngineConflictException extends EngineOpenException {
    private static final long serialVersionUID = 1L;
    private static final Pattern SECRET =
            Pattern.compile("pass|secret|token|credential|key|cipher|init", Pattern.CASE_INSENSITIVE);

    /** See {@link #setting()}. */
    private final String setting;

    static EngineConflictException between(String url, String setting, Object first, Object second) {
        boolean secret = SECRET.matcher(setting).find();
        return new EngineConflictException(
                url, setting, secret ? "they are not shown" : "'" + first + "' and '" + second + "'");
    }

    private EngineConflictException(String url, String setting, String values) {
        super(
                url,
                "the engine is shared, and its URLs name different values for " + setting + ": " + values
                        + ". Write the same value in both, or in one of them only; or close the engine first",
                null);
        this.setting = setting;
    }

    /** {@return the name of the setting that differs, such as {@code maxSize} or {@code password}} */
    public String setting() {
        return setting;
    }
}
