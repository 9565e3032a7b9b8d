package dev.r2dbcengine.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Stands between a driver and PostgreSQL and writes down what the driver sends: each message of the protocol as its type
 * and its length, {@code Q 10} for a query of ten bytes. Without TLS, as that would hide them. The first message of a
 * connection has no type and is not written down.
 */
public final class WireTap implements AutoCloseable {
    private final ServerSocket door;
    private final String host;
    private final int port;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();

    /** Taps the server of a database. */
    public WireTap(TestDatabase database) throws IOException {
        this(database, 0);
    }

    /** Taps the server of a database at this port. */
    public WireTap(TestDatabase database, int door) throws IOException {
        this.host = database.host();
        this.port = database.port();
        this.door = new ServerSocket(door, 50, InetAddress.getLoopbackAddress());
        WireThread.start("wire-tap", this::admit);
    }

    /** Where the driver connects to. */
    public int port() {
        return door.getLocalPort();
    }

    /** What was sent since the last call. A driver has sent all of it that was answered. */
    public List<String> messages() {
        List<String> sent = new ArrayList<>();
        messages.drainTo(sent);
        return sent;
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
            Socket driver = kept(door.accept());
            Socket server = kept(new Socket(host, port));
            WireThread.start(
                    "wire-tap", () -> tap(new DataInputStream(driver.getInputStream()), server.getOutputStream()));
            WireThread.start("wire-tap", () -> pass(server.getInputStream(), driver.getOutputStream()));
        }
    }

    private Socket kept(Socket socket) {
        sockets.add(socket);
        return socket;
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
