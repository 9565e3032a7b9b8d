package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network between drivers and their server that fails and recovers on demand. A {@link TripWire} in it triggers that
 * at a named point.
 */
public final class FaultyNetwork extends Wire {

    /** The kind of failure, for existing and for new connections. */
    public enum Fault {
        /** Delays all data. */
        SLOW,
        /** Closes all connections (FIN). */
        CUT,
        /** Resets all connections (RST). */
        RESET,
        /** Drops all data without an error. */
        SILENT
    }

    private static final long DELAY = 30;

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private volatile @Nullable Fault fault;

    /** Creates a network in front of the server of a database. */
    public FaultyNetwork(TestDatabase database) throws IOException {
        super(database, 0);
        start();
    }

    /** Creates a network in front of a wire. */
    public FaultyNetwork(TripWire inside) throws IOException {
        super(inside);
        start();
    }

    /** Starts the failure. */
    public void fail(Fault how) {
        fault = how;
        if (how == Fault.CUT || how == Fault.RESET) {
            lines.forEach(Line::end);
        }
    }

    /** Ends the failure. Connections that were silent are closed by the server, so their drivers detect it. */
    public void heal() {
        fault = null;
        lines.stream().filter(Line::isMute).forEach(Line::end);
    }

    /** Returns the number of connections of drivers. */
    public long connections() {
        return lines.stream().filter(line -> !line.driver.isClosed()).count();
    }

    @Override
    void join(Socket driver, Socket server) {
        Line line = new Line(driver, server);
        lines.add(line);
        if (fault == Fault.CUT || fault == Fault.RESET) {
            line.end();
        }
        run(() -> line.pass(driver, server));
        run(() -> line.pass(server, driver));
    }

    /** One connection. */
    private final class Line {
        private final Socket driver;
        private final Socket server;
        private volatile boolean mute;

        Line(Socket driver, Socket server) {
            this.driver = driver;
            this.server = server;
        }

        boolean isMute() {
            mute |= fault == Fault.SILENT;
            return mute;
        }

        void pass(Socket from, Socket to) throws IOException {
            byte[] bytes = new byte[1 << 16];
            try (from) {
                InputStream in = from.getInputStream();
                for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                    delay();
                    if (!isMute()) {
                        to.getOutputStream().write(bytes, 0, read);
                    }
                }
            } finally {
                if (!isMute()) {
                    to.close();
                }
            }
        }

        private void delay() throws IOException {
            if (fault == Fault.SLOW) {
                try {
                    TimeUnit.MILLISECONDS.sleep(DELAY);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }

        void end() {
            try {
                driver.setSoLinger(fault == Fault.RESET, 0);
            } catch (IOException gone) {
                // By its driver.
            }
            FaultyNetwork.close(driver);
            FaultyNetwork.close(server);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
