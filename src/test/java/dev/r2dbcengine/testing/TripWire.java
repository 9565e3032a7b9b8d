package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Stands between a driver and its server, and does something, once, exactly when a certain statement passes: so that a
 * connection or a process ends at a named point, and not at a guessed time. Without TLS, as that would hide the text.
 */
public final class TripWire implements AutoCloseable {

    /** When something is done. */
    public enum Moment {
        /** The server has not got it. */
        SENT,
        /** The server has answered, and the driver does not know. */
        ANSWERED
    }

    /**
     * Where something is done.
     *
     * @param text what the driver sends; nothing for anything
     * @param occurrence which of the messages with that text, from 1
     * @param moment before the server has it, or after
     */
    public record Point(String text, int occurrence, Moment moment) {}

    private final TestDatabase database;
    private final Point point;
    private final BooleanSupplier action;
    private final ServerSocket door;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicBoolean done = new AtomicBoolean();

    /**
     * Before the server of a database.
     *
     * @param action true to pass on what was held back, false to end that connection on both sides
     */
    public TripWire(TestDatabase database, Point point, BooleanSupplier action) throws IOException {
        this.database = database;
        this.point = point;
        this.action = action;
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        WireThread.start("trip-wire", this::admit);
    }

    /** Of the database, through this. */
    public String url() {
        return database.url()
                .replace(
                        "@" + database.host() + ":" + database.port() + "/", "@127.0.0.1:" + door.getLocalPort() + "/");
    }

    /** Whether the point has been reached. */
    public boolean isDone() {
        return done.get();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void admit() throws IOException {
        while (true) {
            new Line(kept(door.accept()), kept(new Socket(database.host(), database.port()))).start();
        }
    }

    private Socket kept(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    /** One connection. */
    private final class Line {
        private final Socket driver;
        private final Socket server;
        private volatile boolean awaitsAnswer;

        Line(Socket driver, Socket server) {
            this.driver = driver;
            this.server = server;
        }

        void start() {
            WireThread.start("trip-wire", () -> pass(driver, server, this::isPassedToServer));
            WireThread.start("trip-wire", () -> pass(server, driver, bytes -> !awaitsAnswer || isPassed()));
        }

        private boolean isPassedToServer(String bytes) {
            if (!bytes.contains(point.text()) || seen.incrementAndGet() != point.occurrence()) {
                return true;
            }
            awaitsAnswer = point.moment() == Moment.ANSWERED;
            return awaitsAnswer || isPassed();
        }

        private boolean isPassed() {
            return !done.compareAndSet(false, true) || action.getAsBoolean();
        }
    }

    private interface Gate {
        boolean passes(String bytes);
    }

    /* A driver writes a short statement at once, so that it arrives in one piece. */
    private static void pass(Socket from, Socket to, Gate gate) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[1 << 16];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!gate.passes(new String(bytes, 0, read, StandardCharsets.ISO_8859_1))) {
                    return;
                }
                out.write(bytes, 0, read);
            }
        }
    }
}
