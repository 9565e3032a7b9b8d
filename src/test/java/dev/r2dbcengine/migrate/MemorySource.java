package dev.r2dbcengine.migrate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files that exist in a test only. */
public record MemorySource(Map<String, String> texts) implements MigrationSource {

    public static MemorySource of(String... names) {
        MemorySource source = new MemorySource(new TreeMap<>());
        for (String name : names) {
            source.with(name, "select '" + name + "';");
        }
        return source;
    }

    public MemorySource with(String name, String text) {
        texts.put(name, text);
        return this;
    }

    @Override
    public List<MigrationFile> files() {
        return texts.entrySet().stream()
                .map(file -> MigrationFile.of(
                        file.getKey(),
                        () -> new ByteArrayInputStream(file.getValue().getBytes(StandardCharsets.UTF_8))))
                .toList();
    }

    @Override
    public String toString() {
        return "memory";
    }
}
