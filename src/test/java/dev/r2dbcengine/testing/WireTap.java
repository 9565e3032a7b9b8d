package dev.r2dbcengine.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Stands between a driver and PostgreSQL and writes down what the driver sends: each message of the protocol as its type
 * and its length, {@code Q 10} for a query of ten bytes. Without TLS, as that would hide them. The first message of a
 * connection has no type and is not written down.
 */
public final class WireTap extends Wire {
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

    /** Taps the server of a database. */
    public WireTap(TestDatabase database) throws IOException {
        this(database, 0);
    }

    /** Taps the server of a database at this port. */
    public WireTap(TestDatabase database, int door) throws IOException {
        super(database, door);
        start();
    }

    /** What was sent since the last call. A driver has sent all of it that was answered. */
    public List<String> messages() {
        List<String> sent = new ArrayList<>();
        messages.drainTo(sent);
        return sent;
    }

    @Override
    void join(Socket driver, Socket server) throws IOException {
        DataInputStream from = new DataInputStream(driver.getInputStream());
        OutputStream to = server.getOutputStream();
        run(() -> tap(from, to));
        run(() -> pass(server.getInputStream(), driver.getOutputStream()));
    }

    /* Written down before it is sent on: who has an answer finds it here. */
    private void tap(DataInputStream from, OutputStream to) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        forward(from, out, from.readInt());
        while (true) {
            int type = from.readByte();
            int length = from.readInt();
            messages.add((char) type + " " + length);
            out.writeByte(type);
            forward(from, out, length);
        }
    }

    /* The length counts its own four bytes. */
    private static void forward(DataInputStream from, DataOutputStream out, int length) throws IOException {
        out.writeInt(length);
        out.write(from.readNBytes(length - Integer.BYTES));
        out.flush();
    }

    private static void pass(InputStream from, OutputStream to) throws IOException {
        from.transferTo(to);
    }
}
