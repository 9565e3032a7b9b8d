package dev.r2dbcengine.migrate;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Random;

/** Gives few characters at a time, as few as one. */
public final class Chunks extends FilterReader {

    private final Random random;
    private final int most;

    public Chunks(Reader in, Random random, int most) {
        super(in);
        this.random = random;
        this.most = most;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(most)));
    }
}
