package dev.r2dbcengine.migrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The path of a location.
 *
 * @param root where to search
 * @param below what the path below the root must be like, null when anything will do; its group is the script
 */
record LocationPattern(String root, @Nullable Pattern below) {

    private static final String REST = "rest";

    static LocationPattern of(String path) {
        List<String> parts = Arrays.asList(path.split("[/\\\\]", -1));
        int wild = 0;
        while (wild < parts.size() && !isWild(parts.get(wild))) {
            wild++;
        }
        String root = String.join("/", parts.subList(0, wild));
        if (wild == parts.size()) {
            return new LocationPattern(withoutTrailingSlashes(root), null);
        }
        boolean absolute = root.isEmpty() && wild > 0;
        return new LocationPattern(absolute ? "/" : root, pattern(withoutEmpty(parts.subList(wild, parts.size()))));
    }

    private static boolean isWild(String part) {
        return part.contains("*") || part.contains("?");
    }

    private static String withoutTrailingSlashes(String path) {
        return path.length() > 1 && path.endsWith("/")
                ? withoutTrailingSlashes(path.substring(0, path.length() - 1))
                : path;
    }

    private static List<String> withoutEmpty(List<String> parts) {
        List<String> kept = new ArrayList<>(parts);
        kept.removeIf(String::isEmpty);
        return kept;
    }

    private static Pattern pattern(List<String> parts) {
        String regex = parts.stream()
                .map(part -> part.equals("**") ? "([^/]+/)*?" : piece(part) + "/")
                .collect(Collectors.joining());
        boolean endsInFile = parts.get(parts.size() - 1).contains(".");
        return Pattern.compile(endsInFile ? regex.substring(0, regex.length() - 1) : regex + "(?<" + REST + ">.+)");
    }

    private static String piece(String part) {
        return part.chars()
                .mapToObj(c -> c == '*' ? "[^/]+?" : c == '?' ? "[^/]" : Pattern.quote(Character.toString(c)))
                .collect(Collectors.joining());
    }

    boolean isPlain() {
        return below == null;
    }

    /** What the script at that path below the root is called; empty when it does not belong here. */
    Optional<String> script(String path) {
        if (below == null) {
            return Optional.of(path);
        }
        Matcher matcher = below.matcher(path);
        return matcher.matches() ? Optional.of(hasRest() ? matcher.group(REST) : path) : Optional.empty();
    }

    private boolean hasRest() {
        return below != null && below.pattern().endsWith("(?<" + REST + ">.+)");
    }
}
