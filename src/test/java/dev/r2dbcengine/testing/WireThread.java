package dev.r2dbcengine.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;

/** What stands between a driver and its server, on a thread of its own, until one of the two has gone. */
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
            // One of the two has gone.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
