package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.internal.script.Placeholders;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.migrate.internal.script.ScriptReader;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One folder golden/dialect/case with a script and its expected statements. In statements.txt {@code === line:column} begins
 * a statement, {@code === driver} its form for the driver if that differs, {@code === data} the data that COPY reads, and
 * {@code === error} the message if the rest cannot be read.
 */
public record GoldenScript(String dialectName, String name, String script, String statements) {

    public static final int VERSION = 17;
    public static final String FILE = "V1__x.sql";

    public static List<GoldenScript> all() {
        try (Stream<Path> found = Files.find(root(), 3, (path, any) -> path.endsWith("script.sql"))) {
            return found.map(Path::getParent).sorted().map(GoldenScript::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        try {
            return Path.of(Objects.requireNonNull(GoldenScript.class.getResource("/golden"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static GoldenScript of(Path folder) {
        try {
            return new GoldenScript(
                    folder.getName(folder.getNameCount() - 2).toString(),
                    folder.getFileName().toString(),
                    Files.readString(folder.resolve("script.sql")),
                    Files.readString(folder.resolve("statements.txt")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Dialect dialect() {
        return Dialect.ofDriver(dialectName);
    }

    @Override
    public String toString() {
        return dialectName + "/" + name;
    }

    public String render() {
        return render(dialect(), script(script));
    }

    public static Script script(String text) {
        return new Script(
                FILE,
                () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.UTF_8,
                Placeholders.OFF);
    }

    public static String render(Dialect dialect, Script script) {
        try (ScriptReader reader = script.open(dialect, VERSION)) {
            return render(dialect, reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String render(Dialect dialect, ScriptReader reader) throws IOException {
        StringBuilder out = new StringBuilder();
        try {
            for (ScriptStatement next = reader.next(); next != null; next = reader.next()) {
                render(dialect, next, reader, out);
            }
        } catch (ScriptException e) {
            out.append("=== error\n").append(e.getMessage()).append('\n');
        }
        return out.toString();
    }

    private static void render(Dialect dialect, ScriptStatement statement, ScriptReader reader, StringBuilder out)
            throws IOException {
        String answer = switch (statement.transactional()) {
            case YES -> "";
            case NO -> " outside a transaction";
            case EITHER -> " either";
        };
        out.append("=== " + statement.line() + ":" + statement.column() + answer + "\n" + statement.text() + "\n");
        String driver = dialect.forBatch(statement.text());
        if (!driver.equals(statement.text())) {
            out.append("=== driver\n" + driver + "\n");
        }
        if (statement.copiesData()) {
            out.append("=== data\n" + text(reader.data()));
        }
    }

    public static String text(Reader reader) throws IOException {
        StringWriter text = new StringWriter();
        reader.transferTo(text);
        return text.toString();
    }

    public static List<ScriptStatement> statements(Dialect dialect, Script script) {
        List<ScriptStatement> statements = new ArrayList<>();
        try (ScriptReader reader = script.open(dialect, VERSION)) {
            for (ScriptStatement next = reader.next(); next != null; next = reader.next()) {
                statements.add(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return statements;
    }
}
