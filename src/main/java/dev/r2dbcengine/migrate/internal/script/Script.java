package dev.r2dbcengine.migrate.internal.script;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.InTransaction;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/**
 * A script that can be read repeatedly: first to {@linkplain #scan scan} it, then to run it.
 *
 * @param file its name in messages
 * @param source opens its bytes
 * @param charset the encoding
 * @param placeholders the placeholders to replace
 */
public record Script(String file, Source source, Charset charset, Placeholders placeholders) {

    /** The size from which a script is not kept in memory. */
    private static final int LARGE = 1 << 16;

    /**
     * Opens the script. Blocks, as {@link ScriptReader#next()} may. The caller closes the reader.
     *
     * @param dialect the dialect of the statements
     * @param majorVersion the first number of the server's version
     */
    public ScriptReader open(Dialect dialect, int majorVersion) {
        PlaceholderReader text = new PlaceholderReader(file, decoded(), placeholders);
        return new ScriptReader(dialect, majorVersion, file, text, text::sourceLine);
    }

    /** Reads the whole script in constant memory. Blocks. */
    public ScriptScan scan(Dialect dialect, int majorVersion) {
        int insideLine = 0;
        int outsideLine = 0;
        int size = 0;
        List<ScriptStatement> kept = new ArrayList<>();
        try (ScriptReader statements = open(dialect, majorVersion)) {
            for (ScriptStatement next = statements.next(); next != null; next = statements.next()) {
                if (insideLine == 0 && next.transactional() == InTransaction.YES) {
                    insideLine = next.line();
                } else if (outsideLine == 0 && next.transactional() == InTransaction.NO) {
                    outsideLine = next.line();
                }
                size = next.copiesData()
                        ? LARGE
                        : Math.min(LARGE, size + next.text().length());
                if (size < LARGE) {
                    kept.add(next);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ScriptScan(file, insideLine, outsideLine, size < LARGE ? kept : null);
    }

    private Reader decoded() {
        try {
            return new ScriptDecoder(file, source.open(), charset);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be opened", e);
        }
    }

    /** Opens the bytes of a script. */
    @FunctionalInterface
    public interface Source {
        public InputStream open() throws IOException;
    }
}
