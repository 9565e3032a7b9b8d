package dev.r2dbcengine.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** A network in front of a server of this machine, which delays data in both directions but not their throughput. */
final class SlowNetwork {
    private static final int BUFFER = 65_536;

    private final URI server;
    private final long delayNanos;

    private SlowNetwork(URI server, Duration roundTrip) {
        this.server = server;
        this.delayNanos = roundTrip.toNanos() / 2;
    }

    /** Returns the URL through a new network. */
    static String before(String r2dbcUrl, Duration roundTrip) throws IOException {
        URI server = URI.create(r2dbcUrl.substring("r2dbc:".length()));
        ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SlowNetwork network = new SlowNetwork(server, roundTrip);
        start(() -> network.accept(entrance));
        return r2dbcUrl.replace(
                server.getHost() + ":" + server.getPort(),
                entrance.getInetAddress().getHostAddress() + ":" + entrance.getLocalPort());
    }

    private void accept(ServerSocket entrance) throws IOException {
        while (true) {
            Socket client = entrance.accept();
            Socket back = new Socket(server.getHost(), server.getPort());
            connect(client, back);
            connect(back, client);
        }
    }

    private void connect(Socket from, Socket to) throws IOException {
        to.setTcpNoDelay(true);
        BlockingQueue<Delayed> line = new LinkedBlockingQueue<>();
        start(() -> read(from.getInputStream(), line));
        start(() -> write(line, to));
    }

    private void read(InputStream in, BlockingQueue<Delayed> line) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            line.add(new Delayed(System.nanoTime() + delayNanos, Arrays.copyOf(buffer, length)));
        }
        line.add(new Delayed(System.nanoTime(), new byte[0]));
    }

    private static void write(BlockingQueue<Delayed> line, Socket to) throws IOException, InterruptedException {
        OutputStream out = to.getOutputStream();
        for (Delayed next = line.take(); next.data.length > 0; next = line.take()) {
            for (long left = next.left(); left > 0; left = next.left()) {
                LockSupport.parkNanos(left);
            }
            out.write(next.data);
        }
        to.close();
    }

    /** The benchmark ends with the process, and a closed connection ends its threads. */
    private static void start(Turns.Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Data and the time at which they arrive; without data, the end. */
    private record Delayed(long at, byte[] data) {
        long left() {
            return at - System.nanoTime();
        }
    }
}
