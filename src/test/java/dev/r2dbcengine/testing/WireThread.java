package dev.r2dbcengine.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;

/** A thread that forwards data between a driver and its server until one side closes. */
@FunctionalInterface
interface WireThread {

    void run() throws IOException;

    static void start(String name, WireThread wire) {
        Thread thread = new Thread(() -> untilClosed(wire), name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void untilClosed(WireThread wire) {
        try {
            wire.run();
        } catch (EOFException | SocketException end) {
            // One side has closed.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
