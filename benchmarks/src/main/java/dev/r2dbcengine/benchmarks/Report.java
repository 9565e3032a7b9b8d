package dev.r2dbcengine.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Creates the tables and charts of a result file. */
record Report(Results results) {
    private static final String CHARTS = "charts";

    /** Writes {@code RESULTS.md} and {@code charts/*.svg}. */
    void write(Path directory) throws IOException {
        Path charts = Files.createDirectories(directory.resolve(CHARTS));
        clear(charts);
        List<String> page = new ArrayList<>(List.of(
                "# Results",
                "",
                "Made by `Measure` from `" + results.file().getFileName()
                        + "`; what is measured and how it is to be read is" + " in [README.md](README.md).",
                ""));
        results.comments().forEach(comment -> page.add("- " + comment));
        for (List<Comparison> section : parts(Comparison.of(results.figures()), Comparison::section)) {
            page.addAll(List.of("", "## " + section.get(0).section()));
            for (List<Comparison> same : parts(section, Comparison::on)) {
                page.addAll(part(same, charts));
            }
        }
        Files.write(directory.resolve("RESULTS.md"), page);
    }

    private static void clear(Path charts) throws IOException {
        try (Stream<Path> files = Files.list(charts)) {
            for (Path old :
                    files.filter(file -> file.toString().endsWith(".svg")).toList()) {
                Files.delete(old);
            }
        }
    }

    /** Returns the sections in the order of their first results. */
    private static Iterable<List<Comparison>> parts(List<Comparison> all, Function<Comparison, String> by) {
        return all.stream()
                .collect(Collectors.groupingBy(by, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static List<String> part(List<Comparison> same, Path charts) throws IOException {
        List<String> lines = new ArrayList<>(
                List.of("", "### On " + Label.database(same.get(0).on()), ""));
        Map<String, List<Comparison>> byUnit =
                same.stream().collect(Collectors.groupingBy(Comparison::unit, LinkedHashMap::new, Collectors.toList()));
        for (List<Comparison> unit : byUnit.values()) {
            lines.add(chart(unit, charts));
        }
        lines.add("");
        lines.addAll(table(byUnit));
        return lines;
    }

    private static String chart(List<Comparison> works, Path charts) throws IOException {
        Comparison any = works.get(0);
        String unit = Label.unit(any.unit());
        String title = any.section() + " on " + Label.database(any.on()) + ": " + unit;
        String name = any.section() + " " + any.on() + " " + unit;
        String file = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
        Files.writeString(charts.resolve(file), new Chart(title, works).svg());
        return "![" + title + "](" + CHARTS + "/" + file + ")";
    }

    private static List<String> table(Map<String, List<Comparison>> byUnit) {
        List<String> lines = new ArrayList<>();
        lines.add("| work | who |"
                + byUnit.keySet().stream()
                        .map(unit -> " " + Label.unit(unit) + " | ratio (middle half) |")
                        .collect(Collectors.joining()));
        lines.add("|---|---|" + "---|---|".repeat(byUnit.size()));
        List<Comparison> first = byUnit.values().iterator().next();
        for (Comparison work : first) {
            for (String peer : work.rounds().keySet()) {
                String cells = byUnit.values().stream()
                        .flatMap(List::stream)
                        .filter(any -> any.work().equals(work.work()))
                        .map(any -> cells(any, peer))
                        .collect(Collectors.joining());
                lines.add("| " + work.work() + " | " + peer + " |" + cells);
            }
        }
        return lines;
    }

    private static String cells(Comparison work, String peer) {
        return " " + Label.text(work.values(peer).median(), work.unit()) + " | " + ratio(work, peer) + " |";
    }

    private static String ratio(Comparison work, String peer) {
        if (!work.isRelative() || peer.equals(work.base())) {
            return "";
        }
        Comparison.Spread ratios = work.ratios(peer);
        return Label.ratio(ratios.median()) + " (" + Label.ratio(ratios.low()) + "–" + Label.ratio(ratios.high()) + ")";
    }
}
