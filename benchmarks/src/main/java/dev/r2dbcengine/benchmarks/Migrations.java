package dev.r2dbcengine.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Migrations of an empty database, and the look at one that has them all, each with the connection that it takes: beside a
 * loop by hand that sends the same statements, Flyway over JDBC, and r2dbc-migrate. In one process and by turns, each first
 * as often as the others; a database of its own for each run. Prints medians, and medians of the ratios of all rounds.
 *
 * <p>Arguments: {@code rounds=N}, after a third as many to warm up; {@code scripts=N}; {@code only=h2} or {@code
 * only=postgresql}.
 */
public final class Migrations {
    private static final int LOOKS = 5;

    private int rounds = 9;
    private int scripts = 500;
    private String only = "";

    private Migrations() {}

    /** See the class. */
    public static void main(String... args) throws Exception {
        Migrations migrations = new Migrations();
        for (String arg : args) {
            migrations.take(arg);
        }
        System.out.println("| what | on | engine | by hand | Flyway | r2dbc-migrate | engine by hand | by Flyway |"
                + " by r2dbc-migrate |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        for (MigrationServer server : MigrationServer.all()) {
            if (server.name().contains(migrations.only)) {
                migrations.measure(server);
            }
            server.close();
        }
    }

    private void take(String arg) {
        String[] parts = arg.split("=", 2);
        switch (parts[0]) {
            case "rounds" -> rounds = Integer.parseInt(parts[1]);
            case "scripts" -> scripts = Integer.parseInt(parts[1]);
            case "only" -> only = parts[1];
            default -> throw new IllegalArgumentException(arg + " is none of: rounds=N, scripts=N, only=DATABASE");
        }
    }

    private void measure(MigrationServer server) throws Exception {
        Path directory = scripts();
        Map<Migrator, double[]> all = times();
        Map<Migrator, double[]> nothing = times();
        int warmUp = rounds / 3 + 1;
        for (int round = -warmUp; round < rounds; round++) {
            for (Migrator migrator : inTurn(round + warmUp)) {
                try (MigrationServer.Database database = server.create()) {
                    double run = millis(1, () -> migrator.migrate(database, directory));
                    check(database);
                    double look = migrator == Migrator.BY_HAND
                            ? Double.NaN
                            : millis(LOOKS, () -> migrator.migrate(database, directory));
                    if (round >= 0) {
                        all.get(migrator)[round] = run;
                        nothing.get(migrator)[round] = look;
                    }
                }
            }
        }
        print(scripts + " scripts of two statements", server, all);
        print("nothing to do", server, nothing);
    }

    private Path scripts() throws IOException {
        Path directory = Files.createTempDirectory("migrations");
        for (int i = 1; i <= scripts; i++) {
            Files.writeString(
                    directory.resolve("V" + i + "__t" + i + ".sql"),
                    String.join(";\n", Migrator.statements(i)) + ";\n");
        }
        return directory;
    }

    private void check(MigrationServer.Database database) {
        long rows = database.count("t" + scripts);
        if (rows != 1) {
            throw new IllegalStateException("The last script has left " + rows + " rows");
        }
    }

    private Map<Migrator, double[]> times() {
        return Arrays.stream(Migrator.values())
                .collect(Collectors.toMap(
                        migrator -> migrator,
                        any -> new double[rounds],
                        (a, b) -> a,
                        () -> new EnumMap<>(Migrator.class)));
    }

    private static List<Migrator> inTurn(int round) {
        Migrator[] all = Migrator.values();
        return IntStream.range(0, all.length)
                .mapToObj(i -> all[(round + i) % all.length])
                .toList();
    }

    private static double millis(int times, MigrationServer.Task task) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            task.run();
        }
        return (System.nanoTime() - start) / 1e6 / times;
    }

    private static void print(String what, MigrationServer server, Map<Migrator, double[]> times) {
        String medians = times.values().stream()
                .map(Migrations::median)
                .map(median -> median.isNaN() ? "" : String.format("%,.1f ms", median))
                .collect(Collectors.joining(" | "));
        String ratios = times.keySet().stream()
                .skip(1)
                .map(peer -> ratio(times.get(Migrator.ENGINE), times.get(peer)))
                .collect(Collectors.joining(" | "));
        System.out.println("| " + what + " | " + server.name() + " | " + medians + " | " + ratios + " |");
    }

    private static String ratio(double[] mine, double[] peers) {
        double[] ratios = IntStream.range(0, mine.length)
                .mapToDouble(round -> mine[round] / peers[round])
                .sorted()
                .toArray();
        return Double.isNaN(ratios[0])
                ? ""
                : String.format(
                        "%.2f (%.2f-%.2f)", median(ratios), ratios[ratios.length / 4], ratios[ratios.length * 3 / 4]);
    }

    private static Double median(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }
}
