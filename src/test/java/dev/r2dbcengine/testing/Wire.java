package dev.r2dbcengine.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy between drivers and a server: each connection of a driver gets its own connection to the server. */
abstract class Wire implements AutoCloseable {
    private final TestDatabase database;
    private final String host;
    private final int port;
    private final ServerSocket door;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Creates a proxy in front of the server of a database, on this port; zero for any. */
    Wire(TestDatabase database, int door) throws IOException {
        this(database, database.host(), database.port(), door);
    }

    /** Creates a proxy in front of another one. */
    Wire(Wire inside) throws IOException {
        this(inside.database, inside.door.getInetAddress().getHostAddress(), inside.port(), 0);
    }

    private Wire(TestDatabase database, String host, int port, int door) throws IOException {
        this.database = database;
        this.host = host;
        this.port = port;
        this.door = new ServerSocket(door, 50, InetAddress.getLoopbackAddress());
    }

    /** Returns the URL of the database through this proxy. */
    public final String url() {
        return database.url()
                .replace("@" + database.host() + ":" + database.port() + "/", "@127.0.0.1:" + port() + "/");
    }

    /** Returns the address for the driver. */
    public final int port() {
        return door.getLocalPort();
    }

    @Override
    public final void close() throws IOException {
        door.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Starts to accept connections. */
    final void start() {
        run(this::admit);
    }

    private void admit() throws IOException {
        while (true) {
            Socket driver = kept(door.accept());
            join(driver, kept(new Socket(host, port)));
        }
    }

    private Socket kept(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    final void run(WireThread wire) {
        WireThread.start(getClass().getSimpleName(), wire);
    }

    /** Forwards data in both directions, on its own threads, until one side closes. */
    abstract void join(Socket driver, Socket server) throws IOException;
}
