package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A proxy between a driver and its server that runs an action once, exactly when a certain statement passes, so that a
 * connection or a process ends at a named point and not at a guessed time. Without TLS, which would hide the text.
 */
public final class TripWire extends Wire {

    /** The time of the action. */
    public enum Moment {
        /** Before the server receives the text. */
        SENT,
        /** After the answer of the server, before the driver receives it. */
        ANSWERED,
        /** Within an answer of the server, when the driver has received the part before it. */
        READ
    }

    /**
     * The point of the action.
     *
     * @param text in a message of the driver or the server; null matches any
     * @param occurrence of a message with that text, from 1
     * @param moment relative to the server
     */
    public record Point(String text, int occurrence, Moment moment) {}

    private final Point point;
    private final BooleanSupplier action;
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicBoolean done = new AtomicBoolean();

    /**
     * Creates a proxy in front of the server of a database.
     *
     * @param action returns true to forward the data that was held back, false to close the connection on both sides
     */
    public TripWire(TestDatabase database, Point point, BooleanSupplier action) throws IOException {
        super(database, 0);
        this.point = point;
        this.action = action;
        start();
    }

    /** Returns whether the point has been reached. */
    public boolean isDone() {
        return done.get();
    }

    @Override
    void join(Socket driver, Socket server) {
        Line line = new Line();
        run(() -> pass(driver, server, line::isPassedToServer));
        run(() -> pass(server, driver, line::isPassedToDriver));
    }

    private boolean isPoint(String bytes) {
        return bytes.contains(point.text()) && seen.incrementAndGet() == point.occurrence();
    }

    private boolean isPassed() {
        return !done.compareAndSet(false, true) || action.getAsBoolean();
    }

    /** One connection. */
    private final class Line {
        private volatile boolean awaitsAnswer;

        private boolean isPassedToServer(String bytes) {
            if (point.moment() == Moment.READ || !isPoint(bytes)) {
                return true;
            }
            awaitsAnswer = point.moment() == Moment.ANSWERED;
            return awaitsAnswer || isPassed();
        }

        private boolean isPassedToDriver(String bytes) {
            boolean here = point.moment() == Moment.READ ? isPoint(bytes) : awaitsAnswer;
            return !here || isPassed();
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
