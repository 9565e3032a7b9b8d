package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text of a file that a person reads, without code and quoted terms.
 *
 * @param path of the file
 * @param passages each comment, message or paragraph, on one line
 */
public record Prose(Path path, List<String> passages) {
    private static final Pattern TOKEN = Pattern.compile(
            "(?<line>(?://[^\\n]*\\n\\s*)+)|/\\*(?<block>.*?)\\*/|\"\"\"(?<text>.*?)(?<!\\\\)\"\"\""
                    + "|\"(?<string>(?:\\\\.|[^\"\\\\\\n])*)\"|'(?:\\\\.|[^'\\\\])+'",
            Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile(
            "\\{@(?:code|literal|value)[^}]*}|\\{@link\\S*\\s+\\S+\\s*}|`[^`]*`|\"[^\"]*\"|<pre>.*?</pre>");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
    private static final int SHOWN = 40;

    /** The comments of each Java file below a folder. */
    public static List<Prose> comments(Path folder) throws IOException {
        return each(folder, Prose::comments);
    }

    /** The string literals of each Java file below a folder. */
    public static List<Prose> messages(Path folder) throws IOException {
        return each(folder, Prose::messages);
    }

    public static Prose comments(Path path, String code) {
        return tokens(path, code, "line", "block");
    }

    public static Prose messages(Path path, String code) {
        return tokens(path, code, "text", "string");
    }

    /** A page of Markdown. */
    public static Prose page(Path path, String text) {
        String prose = FENCED.matcher(text).replaceAll("").replaceAll("]\\([^)]*\\)", "]");
        return new Prose(
                path,
                Stream.of(prose.split("\\n\\s*\\n|\\n(?=[|-])|\\|"))
                        .map(Prose::plain)
                        .toList());
    }

    private static List<Prose> each(Path folder, BiFunction<Path, String, Prose> read) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> read.apply(file, text(file)))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Prose tokens(Path path, String code, String... groups) {
        List<String> found = new ArrayList<>();
        Matcher token = TOKEN.matcher(code);
        while (token.find()) {
            Stream.of(groups)
                    .map(token::group)
                    .filter(text -> text != null)
                    .map(Prose::plain)
                    .forEach(found::add);
        }
        return new Prose(path, found);
    }

    private static String plain(String text) {
        String oneLine = text.replaceAll("(?m)^\\s*(?://|\\*+)", " ")
                .replaceAll("\\s+", " ")
                .strip();
        return QUOTED.matcher(oneLine)
                .replaceAll("…")
                .replaceAll("<[^>]*>|@(?:param|return|throws)", " ")
                .strip();
    }

    public long words() {
        return passages.stream()
                .mapToLong(text -> WORD.matcher(text).results().count())
                .sum();
    }

    /** Each place where a pattern is found, with the file and the words around it. */
    public Stream<String> find(Pattern pattern) {
        return passages.stream()
                .flatMap(text -> pattern.matcher(text)
                        .results()
                        .map(hit -> path + ": …"
                                + text.substring(
                                        Math.max(0, hit.start() - SHOWN), Math.min(text.length(), hit.end() + SHOWN))));
    }
}
