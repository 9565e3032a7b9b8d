package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A server on 127.0.0.1 that is not a database, or that rejects each client. */
public final class FakeServer implements AutoCloseable {

    private final ServerSocket socket;
    private final byte[] greeting;
    private final byte[] answer;

    private FakeServer(byte[] greeting, byte[] answer) {
        this.greeting = greeting;
        this.answer = answer;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::serve, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Refuses each login with an error of PostgreSQL. */
    public static FakeServer postgresql(String sqlState, String message) {
        byte[] fields = bytes("SFATAL\0VFATAL\0C" + sqlState + "\0M" + message + "\0\0");
        byte[] error = ByteBuffer.allocate(fields.length + 5)
                .put((byte) 'E')
                .putInt(fields.length + 4)
                .put(fields)
                .array();
        return new FakeServer(new byte[0], error);
    }

    /** Refuses each client with an error of MariaDB. */
    public static FakeServer mariadb(int code, String message) {
        byte[] text = bytes(message);
        byte[] error = ByteBuffer.allocate(text.length + 7)
                .put(new byte[] {(byte) (text.length + 3), 0, 0, 0, (byte) 0xff, (byte) code, (byte) (code >> 8)})
                .put(text)
                .array();
        return new FakeServer(error, new byte[0]);
    }

    /** Speaks first, as SSH and mail servers do. */
    public static FakeServer speakingFirst() {
        return new FakeServer(bytes("SSH-2.0-OpenSSH_9.2\r\n"), new byte[0]);
    }

    /** Answers what it does not understand, as a web server does. */
    public static FakeServer http() {
        return new FakeServer(new byte[0], bytes("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the port on which the server listens. */
    public int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                serve(client);
            } catch (SocketException closed) {
                // By the test or by the client.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void serve(Socket client) throws IOException {
        client.getOutputStream().write(greeting);
        InputStream in = client.getInputStream();
        if (answer.length > 0 && in.read(new byte[4096]) > 0) {
            client.getOutputStream().write(answer);
        }
        client.shutdownOutput();
        while (in.read(new byte[4096]) >= 0) {
            // Until the client has read the answer: unread bytes would reset the connection.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
