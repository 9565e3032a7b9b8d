package dev.r2dbcengine.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * A bar chart as SVG: one group for each work and one bar for each peer, as ratios to the first of its group, or as
 * values if there is no base. A thin line shows the interquartile range. The chart has its own background, since the
 * page that shows it may be dark or light.
 *
 * @param works of one section on one database, in one unit
 */
record Chart(String title, List<Comparison> works) {
    private static final int WIDTH = 760;
    private static final int LEFT = 160;
    private static final int LENGTH = 400;
    private static final int BAR = 14;
    private static final int STEP = 19;
    private static final int HEAD = 76;
    private static final int GROUP = 34;
    /** Longer bars are cut, so that the others stay distinguishable. */
    private static final double CUT = 6;

    private static final String STYLE = """
            <style>
            text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
            .title { font-size: 16px; font-weight: 600 }
            .work { font-weight: 600 }
            .note, .value { fill: #59636e }
            .back { fill: #ffffff; stroke: #d1d9e0 }
            .engine { fill: #0969da } .base { fill: #818b98 } .other { fill: #c0c8d1 }
            .one { stroke: #59636e; stroke-dasharray: 3 3 }
            .half { stroke: #1f2328 }
            @media (prefers-color-scheme: dark) {
            text { fill: #f0f6fc }
            .note, .value { fill: #9198a1 }
            .back { fill: #0d1117; stroke: #3d444d }
            .engine { fill: #4493f8 } .base { fill: #9198a1 } .other { fill: #4b535d }
            .one { stroke: #9198a1 }
            .half { stroke: #f0f6fc }
            }
            </style>
            """;

    String svg() {
        StringBuilder svg = new StringBuilder();
        int height = HEAD + works.stream().mapToInt(Chart::height).sum();
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " aria-labelledby=\"title note\">",
                WIDTH,
                height,
                WIDTH,
                height);
        add(svg, "<title id=\"title\">%s</title>", title);
        add(svg, "<desc id=\"note\">%s</desc>", note());
        svg.append(STYLE);
        add(
                svg,
                "<rect class=\"back\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>",
                WIDTH - 1,
                height - 1);
        add(svg, "<text class=\"title\" x=\"20\" y=\"32\">%s</text>", title);
        add(svg, "<text class=\"note\" x=\"20\" y=\"52\">%s</text>", note());
        int y = HEAD;
        for (Comparison work : works) {
            group(svg, work, y);
            y += height(work);
        }
        return svg.append("</svg>\n").toString();
    }

    private static int height(Comparison work) {
        return GROUP + STEP * work.rounds().size();
    }

    private boolean isRelative() {
        return works.stream().allMatch(Comparison::isRelative);
    }

    private String note() {
        return isRelative()
                ? "Multiples of the first bar of each group; shorter is better."
                : works.get(0).unit() + "; longer is better.";
    }

    private void group(StringBuilder svg, Comparison work, int top) {
        add(svg, "<text class=\"work\" x=\"20\" y=\"%d\">%s</text>", top + 12, work.work());
        int y = top + 20;
        for (String peer : work.rounds().keySet()) {
            bar(svg, work, peer, y);
            y += STEP;
        }
        if (isRelative()) {
            double one = LEFT + length(1);
            add(svg, "<line class=\"one\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", one, top + 18, one, y - 2);
        }
    }

    private void bar(StringBuilder svg, Comparison work, String peer, int y) {
        Comparison.Spread spread = bars(work, peer);
        double length = length(spread.median());
        boolean isCut = length > LENGTH;
        double end = LEFT + Math.min(length, LENGTH);
        int middle = y + BAR / 2;
        add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 10, y + 11, peer);
        add(
                svg,
                isCut
                        ? "<path class=\"%s\" d=\"M%d %d H%.1f l8 7 l-8 7 H%2$d z\"/>"
                        : "<path class=\"%s\" d=\"M%d %d H%.1f v14 H%2$d z\"/>",
                kind(work, peer),
                LEFT,
                y,
                end);
        if (!isCut) {
            add(
                    svg,
                    "<line class=\"half\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                    LEFT + length(spread.low()),
                    middle,
                    LEFT + Math.min(LENGTH, length(spread.high())),
                    middle);
        }
        double label =
                Math.max(end, LEFT + Math.min(LENGTH, Math.max(length(1), length(spread.high())))) + (isCut ? 14 : 8);
        add(svg, "<text class=\"value\" x=\"%.1f\" y=\"%d\">%s</text>", label, y + 11, label(work, peer));
    }

    private Comparison.Spread bars(Comparison work, String peer) {
        return isRelative() ? work.ratios(peer) : work.values(peer);
    }

    private double length(double value) {
        double longest = works.stream()
                .flatMap(work -> work.rounds().keySet().stream().map(peer -> bars(work, peer)))
                .mapToDouble(Comparison.Spread::median)
                .max()
                .orElseThrow();
        return LENGTH * value / (isRelative() ? Math.min(CUT, longest) : longest);
    }

    private String label(Comparison work, String peer) {
        String value = Label.text(work.values(peer).median(), work.unit());
        return isRelative() ? Label.ratio(work.ratios(peer).median()) + " × · " + value : value;
    }

    private static String kind(Comparison work, String peer) {
        return peer.equals(work.base()) ? "base" : Comparison.isEngine(peer) || !work.isRelative() ? "engine" : "other";
    }

    private static void add(StringBuilder svg, String line, Object... values) {
        svg.append(String.format(Locale.ROOT, line, values)).append('\n');
    }
}
