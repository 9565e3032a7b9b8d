package dev.r2dbcengine.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A proxy between a driver and PostgreSQL or MariaDB that records the messages of the driver: each as type and length,
 * {@code Q 10} or {@code 3 6} for BEGIN. Without TLS, which would hide them. The first message of a connection to PostgreSQL
 * has no type and is not recorded.
 */
public final class WireTap extends Wire {
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final boolean postgresql;
    private volatile CountDownLatch answers = new CountDownLatch(0);

    /** Records the messages to the server of a database. */
    public WireTap(TestDatabase database) throws IOException {
        this(database, 0);
    }

    /** Records the messages to the server of a database at this port. */
    public WireTap(TestDatabase database, int door) throws IOException {
        super(database, door);
        postgresql = database.url().startsWith("r2dbc:postgresql");
        start();
    }

    /** Returns the messages since the last call. Messages that were answered are complete. */
    public List<String> messages() {
        List<String> sent = new ArrayList<>();
        messages.drainTo(sent);
        return sent;
    }

    /** Holds the answers of the server back, until {@link #passAnswers()}. */
    public void holdAnswers() {
        answers = new CountDownLatch(1);
    }

    /** Passes the answers of the server on. */
    public void passAnswers() {
        answers.countDown();
    }

    /** Waits for a number of messages, and returns them. */
    public List<String> await(int count) throws InterruptedException {
        List<String> sent = new ArrayList<>();
        while (sent.size() < count) {
            String next = messages.poll(20, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("The driver has sent only " + sent);
            }
            sent.add(next);
        }
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
        if (postgresql) {
            forward(from, out, from.readInt());
        }
        while (true) {
            if (postgresql) {
                tapPostgresql(from, out);
            } else {
                tapMariadb(from, out);
            }
        }
    }

    private void tapPostgresql(DataInputStream from, DataOutputStream out) throws IOException {
        int type = from.readByte();
        int length = from.readInt();
        messages.add((char) type + " " + length);
        out.writeByte(type);
        forward(from, out, length);
    }

    /* The length counts its own four bytes. */
    private static void forward(DataInputStream from, DataOutputStream out, int length) throws IOException {
        out.writeInt(length);
        out.write(from.readNBytes(length - Integer.BYTES));
        out.flush();
    }

    /* Three bytes of length, lowest first, a sequence number, and the payload, which begins with the command. */
    private void tapMariadb(DataInputStream from, DataOutputStream out) throws IOException {
        byte[] header = new byte[4];
        from.readFully(header);
        int length = (header[0] & 0xff) | ((header[1] & 0xff) << 8) | ((header[2] & 0xff) << 16);
        byte[] payload = from.readNBytes(length);
        messages.add(payload[0] + " " + length);
        out.write(header);
        out.write(payload);
        out.flush();
    }

    private void pass(InputStream from, OutputStream to) throws IOException {
        byte[] bytes = new byte[1 << 16];
        for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
            awaitAnswers();
            to.write(bytes, 0, read);
        }
    }

    private void awaitAnswers() throws IOException {
        try {
            answers.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
