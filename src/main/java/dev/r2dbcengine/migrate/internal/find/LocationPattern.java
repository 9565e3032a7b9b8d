package dev.r2dbcengine.migrate.internal.find;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The path of a location, with wildcards. Not a regular expression, whose backtracking and recursion grow with the
 * length of a path.
 *
 * @param root the directory to search
 * @param below the patterns of the names below the root; empty accepts any path
 */
public record LocationPattern(String root, List<String> below) {

    private static final String ANY_DIRECTORIES = "**";

    public static LocationPattern of(String path) {
        List<String> parts = Arrays.asList(path.split("[/\\\\]", -1));
        int wild = 0;
        while (wild < parts.size() && !isWild(parts.get(wild))) {
            wild++;
        }
        String root = String.join("/", parts.subList(0, wild));
        if (wild == parts.size()) {
            return new LocationPattern(withoutTrailingSlashes(root), List.of());
        }
        boolean absolute = root.isEmpty() && wild > 0;
        List<String> below = parts.subList(wild, parts.size());
        return new LocationPattern(
                absolute ? "/" : root,
                below.stream().filter(part -> !part.isEmpty()).toList());
    }

    private static boolean isWild(String part) {
        return part.contains("*") || part.contains("?");
    }

    private static String withoutTrailingSlashes(String path) {
        int end = path.length();
        while (end > 1 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    public boolean isPlain() {
        return below.isEmpty();
    }

    /** Returns the name of the script at a path below the root; empty if the path does not match. */
    public Optional<String> script(String path) {
        if (isPlain()) {
            return Optional.of(path);
        }
        List<String> names = Arrays.asList(path.split("/", -1));
        BitSet ends = ends(names);
        if (endsInFile()) {
            return ends.get(names.size()) ? Optional.of(path) : Optional.empty();
        }
        int end = ends.nextSetBit(0);
        return end < 0 || end == names.size()
                ? Optional.empty()
                : Optional.of(String.join("/", names.subList(end, names.size())));
    }

    private boolean endsInFile() {
        return below.get(below.size() - 1).contains(".");
    }

    /* Returns the numbers of names after which the whole pattern can have matched. */
    private BitSet ends(List<String> names) {
        BitSet ends = new BitSet();
        ends.set(0);
        for (String part : below) {
            ends = part.equals(ANY_DIRECTORIES) ? anyFrom(ends, names) : next(part, ends, names);
        }
        return ends;
    }

    private static BitSet anyFrom(BitSet ends, List<String> names) {
        BitSet next = new BitSet();
        int first = ends.nextSetBit(0);
        if (first >= 0 && first < names.size()) {
            next.set(first, names.size());
        }
        return next;
    }

    private static BitSet next(String part, BitSet ends, List<String> names) {
        BitSet next = new BitSet();
        int[] wanted = part.codePoints().toArray();
        for (int i = ends.nextSetBit(0); i >= 0 && i < names.size(); i = ends.nextSetBit(i + 1)) {
            if (fits(wanted, names.get(i).codePoints().toArray())) {
                next.set(i + 1);
            }
        }
        return next;
    }

    /* A star matches one character, and one more whenever the rest does not fit; earlier stars need no backtracking. */
    private static boolean fits(int[] part, int[] name) {
        int p = 0;
        int n = 0;
        int behindStar = 0;
        int taken = 0;
        while (n < name.length) {
            if (p < part.length && part[p] == '*') {
                behindStar = ++p;
                taken = ++n;
            } else if (p < part.length && (part[p] == '?' || part[p] == name[n])) {
                p++;
                n++;
            } else if (behindStar > 0) {
                p = behindStar;
                n = ++taken;
            } else {
                return false;
            }
        }
        return p == part.length;
    }
}
