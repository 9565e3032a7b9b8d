package dev.r2dbcengine.migrate.internal.script;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;

/** Decodes a script and drops a byte order mark. Bytes that are invalid in the charset are an error. */
public final class ScriptDecoder extends Reader {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final Reader in;
    private final String file;
    private final Charset charset;
    private boolean begun;

    public ScriptDecoder(String file, InputStream bytes, Charset charset) {
        this.in = new InputStreamReader(new Unasked(bytes), charset.newDecoder());
        this.file = file;
        this.charset = charset;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        int read = decode(buffer, offset, length);
        if (begun || read <= 0) {
            return read;
        }
        begun = true;
        return buffer[offset] == BYTE_ORDER_MARK ? withoutFirst(buffer, offset, length, read) : read;
    }

    private int withoutFirst(char[] buffer, int offset, int length, int read) throws IOException {
        System.arraycopy(buffer, offset + 1, buffer, offset, read - 1);
        return read > 1 ? read - 1 : decode(buffer, offset, length);
    }

    private int decode(char[] buffer, int offset, int length) throws IOException {
        try {
            return in.read(buffer, offset, length);
        } catch (CharacterCodingException e) {
            throw new ScriptException(
                    file,
                    "it is not text in " + charset
                            + ": save it so, or name its charset as \"encoding\" in the settings or" + " in " + file
                            + ".conf",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Reports nothing available: the decoder asks after each chunk, and for a file that costs as much as a read. */
    private static final class Unasked extends FilterInputStream {
        Unasked(InputStream bytes) {
            super(bytes);
        }

        @Override
        public int available() {
            return 0;
        }
    }
}
