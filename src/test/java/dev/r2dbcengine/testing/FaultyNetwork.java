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
 * A network between drivers and their server that fails and heals when a test says so. A {@link TripWire} within it says
 * so at a named point.
 */
public final class FaultyNetwork extends Wire {

    /** How it fails, for the connections that there are, and for those that come. */
    public enum Fault {
        /** Whatever passes does so later. */
        SLOW,
        /** All connections end (FIN). */
        CUT,
        /** All connections end (RST). */
        RESET,
        /** Nothing passes, and nobody is told. */
        SILENT
    }

    private static final long DELAY = 30;

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private volatile @Nullable Fault fault;

    /** Before the server of a database. */
    public FaultyNetwork(TestDatabase database) throws IOException {
        super(database, 0);
        start();
    }

    /** Before a wire. */
    public FaultyNetwork(TripWire inside) throws IOException {
        super(inside);
        start();
    }

    /** From now on it fails. */
    public void fail(Fault how) {
        fault = how;
        if (how == Fault.CUT || how == Fault.RESET) {
            lines.forEach(Line::end);
        }
    }

    /** From now on all is well. The server has had enough of connections that went mute, and so their drivers learn of it. */
    public void heal() {
        fault = null;
        lines.stream().filter(Line::isMute).forEach(Line::end);
    }

    /** How many connections drivers have. */
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
