package dev.r2dbcengine.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * One measured value: a line of the result file.
 *
 * @param section of the report
 * @param work that was measured
 * @param on the database
 * @param peer that was measured
 * @param base the peer that the ratios of this work refer to
 * @param unit of the value: {@code ns}, {@code B}, {@code MB}, {@code MB/s}
 * @param round from 0; the values of one round were measured one after another
 */
record Figure(String section, String work, String on, String peer, String base, String unit, int round, double value) {

    static final String HEAD = "section,work,on,peer,base,unit,round,value";

    Figure {
        if (List.of(section, work, on, peer, base, unit).toString().split(",").length != 6) {
            throw new IllegalArgumentException("A comma in a name would break the result file: " + work + " " + on);
        }
    }

    static Figure parse(String line) {
        String[] parts = line.split(",");
        return new Figure(
                parts[0],
                parts[1],
                parts[2],
                parts[3],
                parts[4],
                parts[5],
                Integer.parseInt(parts[6]),
                Double.parseDouble(parts[7]));
    }

    String line() {
        return String.format(
                Locale.ROOT, "%s,%s,%s,%s,%s,%s,%d,%.3f", section, work, on, peer, base, unit, round, value);
    }
}
