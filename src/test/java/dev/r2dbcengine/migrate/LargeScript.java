package dev.r2dbcengine.migrate;

import dev.r2dbcengine.ReactiveEngineCache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A script that makes a table and fills it, a kilobyte a row, written while it is read. */
final class LargeScript extends InputStream {
    private static final String INSERTED = "it''s; ".repeat(140);
    private static final String COPIED = "quotes ' \" backslash \\\\ tab \\t semicolon; " + "x".repeat(980);

    private final Iterator<String> parts;
    private byte[] part = {};
    private int position;
    private final AtomicLong bytes = new AtomicLong();

    private LargeScript(Stream<String> parts) {
        this.parts = parts.iterator();
    }

    /** Of so many statements. */
    static LargeScript inserts(int rows) {
        return of(
                "create table big(id int primary key, txt varchar(1000));\n",
                IntStream.range(0, rows).mapToObj(i -> "insert into big values (" + i + ", '" + INSERTED + "');\n"),
                "");
    }

    /** Of one statement, for PostgreSQL, whose data are all that can be mistaken for something else. */
    static LargeScript copy(int rows) {
        return of(
                "create table big(id int, txt text);\ncopy big from stdin;\n",
                IntStream.range(0, rows).mapToObj(i -> i + "\t" + COPIED + "\n"),
                "\\.\n");
    }

    private static LargeScript of(String head, Stream<String> rows, String end) {
        return new LargeScript(Stream.of(Stream.of(head), rows, Stream.of(end)).flatMap(each -> each));
    }

    /** How much was read so far. */
    long bytes() {
        return bytes.get();
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        while (position == part.length) {
            if (!parts.hasNext()) {
                return -1;
            }
            part = parts.next().getBytes(StandardCharsets.UTF_8);
            position = 0;
        }
        int count = Math.min(length, part.length - position);
        System.arraycopy(part, position, into, offset, count);
        position += count;
        bytes.addAndGet(count);
        return count;
    }

    /** Applies the migrations of a directory to the database with a URL. */
    public static void main(String... args) {
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        MigrationRunner.on(engines.engine(args[0]))
                .locations("filesystem:" + args[1])
                .migrate()
                .block(Duration.ofHours(1));
        engines.close().block(Duration.ofMinutes(1));
    }

    /** Runs it in a separate JVM. Blocks; returns the exit code, which is 0 if the scripts were applied. */
    static int migrate(String heap, String url, Path directory) throws IOException, InterruptedException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LargeScript.class.getName(),
                        url,
                        directory.toString())
                .inheritIO()
                .start()
                .waitFor();
    }
}
