package dev.r2dbcengine.migrate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Flyway's checksum and placeholders, as short as they can be said. */
record ChecksumSketch(Map<String, String> placeholders) implements ScriptText {

    static final ChecksumSketch PLAIN = new ChecksumSketch(Map.of());

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");

    @Override
    public int checksum(MigrationScript script) throws IOException {
        return sum(script, UnaryOperator.identity());
    }

    @Override
    public int checksumAfterPlaceholders(MigrationScript script) throws IOException {
        return sum(script, this::replaced);
    }

    @Override
    public String replacePlaceholders(MigrationScript script, String value) {
        return replaced(value);
    }

    private static int sum(MigrationScript script, UnaryOperator<String> change) throws IOException {
        CRC32 sum = new CRC32();
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(script.open(), script.encoding().newDecoder()))) {
            String line = reader.readLine();
            for (boolean first = true; line != null; first = false, line = reader.readLine()) {
                String bare = first && line.startsWith("\uFEFF") ? line.substring(1) : line;
                sum.update(change.apply(bare).getBytes(StandardCharsets.UTF_8));
            }
        }
        return (int) sum.getValue();
    }

    private String replaced(String text) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(found ->
                        Matcher.quoteReplacement(placeholders.get(found.group(1).toLowerCase(Locale.ROOT))));
    }
}
