package dev.r2dbcengine.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between drivers and a server: whoever comes to its door is joined with the server by a connection of his own. */
abstract class Wire implements AutoCloseable {
    private final TestDatabase database;
    private final String host;
    private final int port;
    private final ServerSocket door;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Before the server of a database, at this port; zero for any. */
    Wire(TestDatabase database, int door) throws IOException {
        this(database, database.host(), database.port(), door);
    }

    /** Before another wire. */
    Wire(Wire inside) throws IOException {
        this(inside.database, inside.door.getInetAddress().getHostAddress(), inside.port(), 0);
    }

    private Wire(TestDatabase database, String host, int port, int door) throws IOException {
        this.database = database;
        this.host = host;
        this.port = port;
        this.door = new ServerSocket(door, 50, InetAddress.getLoopbackAddress());
    }

    /** Of the database, through this. */
    public final String url() {
        return database.url()
                .replace("@" + database.host() + ":" + database.port() + "/", "@127.0.0.1:" + port() + "/");
    }

    /** Where the driver connects to. */
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

    /** To be called when this is ready to join. */
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

    /** Lets the two talk, on threads of its own, for as long as both are there. */
    abstract void join(Socket driver, Socket server) throws IOException;
}
