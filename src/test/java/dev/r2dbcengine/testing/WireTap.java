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
 * A proxy between a driver and PostgreSQL that records the messages of the driver: each as type and length, {@code Q
 * 10} for a query of ten bytes. Without TLS, which would hide them. The first message of a connection has no type and
 * is not recorded.
 */
public final class WireTap extends Wire {
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

    /** Records the messages to the server of a database. */
    public WireTap(TestDatabase database) throws IOException {
        this(database, 0);
    }

    /** Records the messages to the server of a database at this port. */
    public WireTap(TestDatabase database, int door) throws IOException {
        super(database, door);
        start();
    }

    /** Returns the messages since the last call. Messages that were answered are complete. */
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

    /* Recorded before it is forwarded, so a message that was answered is recorded. */
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
