package dev.r2dbcengine.migrate.internal.model;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.internal.script.BooleanExpression;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings in {@code <script>.conf}; null for those that are not set. The file has lines of {@code key=value}, as
 * with Flyway.
 *
 * @param executeInTransaction whether the script runs in a transaction
 * @param encoding the encoding of the script
 * @param placeholderReplacement whether placeholders in it are replaced
 * @param shouldExecute an expression: see {@link BooleanExpression}
 */
public record ScriptSettings(
        @Nullable Boolean executeInTransaction,
        @Nullable Charset encoding,
        @Nullable Boolean placeholderReplacement,
        @Nullable String shouldExecute) {

    public static final ScriptSettings NONE = new ScriptSettings(null, null, null, null);

    private static final String EXECUTE_IN_TRANSACTION = "executeInTransaction";
    private static final String ENCODING = "encoding";
    private static final String PLACEHOLDER_REPLACEMENT = "placeholderReplacement";
    private static final String SHOULD_EXECUTE = "shouldExecute";
    private static final Set<String> KEYS =
            new TreeSet<>(Set.of(EXECUTE_IN_TRANSACTION, ENCODING, PLACEHOLDER_REPLACEMENT, SHOULD_EXECUTE));

    public static ScriptSettings read(MigrationFile conf) throws IOException {
        Values values = new Values(conf, load(conf));
        return new ScriptSettings(
                values.flag(EXECUTE_IN_TRANSACTION),
                values.charset(),
                values.flag(PLACEHOLDER_REPLACEMENT),
                values.text(SHOULD_EXECUTE));
    }

    boolean executes(MigrationFile script, UnaryOperator<String> placeholders) {
        if (shouldExecute == null) {
            return true;
        }
        return BooleanExpression.evaluate(placeholders.apply(shouldExecute))
                .orElseThrow(() -> refused(
                        script.origin() + ".conf",
                        // Without replacement, since the value of a placeholder may be a secret.
                        SHOULD_EXECUTE + "=" + shouldExecute,
                        "Write true, false, or comparisons such as ${environment}==test, joined by && and ||"));
    }

    /** Reads backslashes literally, as Flyway does, although they escape in properties files. */
    private static Map<Object, Object> load(MigrationFile conf) throws IOException {
        StringWriter text = new StringWriter();
        try (Reader reader =
                new InputStreamReader(conf.opener().open(), conf.encoding().newDecoder())) {
            reader.transferTo(text);
        }
        Properties properties = new Properties();
        properties.load(new StringReader(text.toString().replace("\uFEFF", "").replace("\\", "\\\\")));
        return properties;
    }

    private static InvalidMigrationException refused(String origin, String what, String remedy) {
        return new InvalidMigrationException(origin + " says " + what + ". " + remedy, List.of(origin), null);
    }

    private record Values(MigrationFile conf, Map<Object, Object> values) {

        Values {
            for (Object key : values.keySet()) {
                if (!KEYS.contains(key)) {
                    throw refused(conf.origin(), "'" + key + "', which is no setting of a script", "There are " + KEYS);
                }
            }
        }

        @Nullable String text(String key) {
            return values.get(key) instanceof String value ? value.trim() : null;
        }

        @Nullable Boolean flag(String key) {
            String value = text(key);
            if (value == null) {
                return null;
            }
            if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
                throw refused(conf.origin(), key + "=" + value, "Write true or false");
            }
            return Boolean.valueOf(value);
        }

        @Nullable Charset charset() {
            String value = text(ENCODING);
            try {
                return value == null ? null : Charset.forName(value);
            } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
                throw refused(conf.origin(), ENCODING + "=" + value, "Write a charset of Java, such as UTF-8");
            }
        }
    }
}
