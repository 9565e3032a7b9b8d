package dev.r2dbcengine.benchmarks;

import java.util.Locale;

/** How values are written for people. */
final class Quantity {
    private Quantity() {}

    /** What a unit is of. */
    static String of(String unit) {
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
        String[] units = {"ns", "µs", "ms", "s"};
        double scaled = value;
        int i = 0;
        for (; scaled >= 1000 && i < units.length - 1; i++) {
            scaled /= 1000;
        }
        return String.format(Locale.ROOT, scaled < 10 ? "%.2f %s" : scaled < 100 ? "%.1f %s" : "%.0f %s", scaled, units[i]);
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }
}
