package dev.r2dbcengine.benchmarks;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Folders of migrations. */
final class Folder {
    private static final int ROWS = 500;

    private Folder() {}

    /** Creates a folder with a number of scripts of two statements each. */
    static Path ofScripts(int count) throws IOException {
        Path directory = Files.createTempDirectory("migrations");
        for (int i = 1; i <= count; i++) {
            Files.writeString(
                    directory.resolve("V" + i + "__t" + i + ".sql"),
                    String.join(";\n", Migrator.statements(i)) + ";\n");
        }
        return directory;
    }

    /** Creates a folder with one script: a table, and inserts of 500 rows each up to the given size. */
    static Path ofMegabytes(int megabytes) throws IOException {
        Path directory = Files.createTempDirectory("migrations");
        String insert = IntStream.range(0, ROWS)
                .mapToObj(i -> "(" + i + ", 'it''s the name of " + i + "; and a remark')")
                .collect(Collectors.joining(",\n", "insert into t1 values\n", ";\n"));
        try (BufferedWriter script = Files.newBufferedWriter(directory.resolve("V1__t1.sql"))) {
            script.write("create table t1 (id int not null, name varchar(60) not null);\n");
            for (long written = 0; written < megabytes * 1_000_000L; written += insert.length()) {
                script.write(insert);
            }
        }
        return directory;
    }
}
