package dev.r2dbcengine.benchmarks;

import java.util.List;
import java.util.Locale;

/** Names for people. */
final class Label {
    private static final List<String> UNITS = List.of("ns", "µs", "ms", "s");

    private Label() {}

    /** Returns the name of a database in the result file. */
    static String database(String name) {
        return name.replace("instant", "a driver that answers at once")
                .replace("idle", "a driver that does nothing")
                .replace("pool", "a driver that answers at once in a pool")
                .replaceFirst("far (.*)", "$1, 0.5 ms away")
                .replace("postgresql", "PostgreSQL")
                .replace("mariadb", "MariaDB")
                .replaceFirst("^h2.*", "H2");
    }

    /** Returns the quantity that is measured in a unit. */
    static String unit(String unit) {
        return switch (unit) {
            case "ns" -> "time";
            case "B" -> "bytes";
            case "MB" -> "memory";
            case "MB/s" -> "throughput";
            default -> throw new IllegalArgumentException(unit);
        };
    }

    static String text(double value, String unit) {
        if (!unit.equals("ns")) {
            return String.format(Locale.ROOT, "%,.0f %s", value, unit);
        }
        int power = Math.min(UNITS.size() - 1, (int) (Math.log10(Math.max(1, value)) / 3));
        double scaled = value / Math.pow(1000, power);
        return String.format(Locale.ROOT, scaled < 100 ? "%.1f %s" : "%.0f %s", scaled, UNITS.get(power));
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }
}
