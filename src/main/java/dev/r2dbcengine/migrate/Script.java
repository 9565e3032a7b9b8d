package dev.r2dbcengine.migrate;

import dev.r2dbcengine.dialect.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/**
 * A script that can be read again and again: first {@linkplain #scan to learn} what it is, then to run it.
 *
 * @param file how messages name it
 * @param source opens its bytes
 * @param charset what makes text of them
 * @param placeholders what is replaced in the text
 */
record Script(String file, Source source, Charset charset, Placeholders placeholders) {

    /**
     * Opens the script. Blocks, as each {@link ScriptReader#next()} may. The caller closes the reader.
     *
     * @param dialect the dialect of the statements
     * @param majorVersion the first number of the server's version
     */
    ScriptReader open(Dialect dialect, int majorVersion) {
        PlaceholderReader text = replaced(decoded());
        return new ScriptReader(dialect, majorVersion, file, text, text::sourceLine);
    }

    /** Reads the script once, in flat memory. Blocks. */
    ScriptScan scan(Dialect dialect, int majorVersion) {
        Checksum raw = new Checksum(decoded());
        PlaceholderReader text = replaced(raw);
        Checksum replaced = new Checksum(text);
        try (ScriptReader statements = new ScriptReader(dialect, majorVersion, file, replaced, text::sourceLine)) {
            Tally tally = new Tally();
            for (ScriptStatement next = statements.next(); next != null; next = statements.next()) {
                tally.add(next);
            }
            return new ScriptScan(
                    file, raw.value(), replaced.value(), tally.statements, tally.insideLine, tally.outsideLine);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Reader decoded() {
        try {
            return new ScriptDecoder(file, source.open(), charset);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be opened", e);
        }
    }

    private PlaceholderReader replaced(Reader text) {
        return new PlaceholderReader(file, text, placeholders);
    }

    /** Where the bytes come from. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    private static final class Tally {
        private long statements;
        private int insideLine;
        private int outsideLine;

        private void add(ScriptStatement statement) {
            statements++;
            switch (statement.transactional()) {
                case YES -> insideLine = insideLine == 0 ? statement.line() : insideLine;
                case NO -> outsideLine = outsideLine == 0 ? statement.line() : outsideLine;
                case EITHER -> {}
            }
        }
    }
}
