package dev.r2dbcengine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/**
 * A page of the documentation: the README, or one below {@code docs}.
 *
 * @param path of the file
 * @param text of the whole page
 */
public record Page(Path path, String text) {
    public static final Page README = of(Path.of("README.md"));

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    public static List<Page> all() {
        return Stream.concat(Stream.of(README), docs().stream()).toList();
    }

    public static List<Page> docs() {
        try (Stream<Path> files = Files.list(Path.of("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Page::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Page of(Path path) {
        try {
            return new Page(path, Files.readString(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * An example that users copy.
     *
     * @param imports the block of imports above it, or those of the first class of the page
     * @param code without imports
     */
    public record Example(String imports, String code) {

        /** Returns the name of its class. */
        public String name() {
            return find(Pattern.compile("(?m)^class (\\w+)"), code).findFirst().orElseThrow();
        }

        @Override
        public String toString() {
            return code.lines().limit(3).collect(Collectors.joining(" "));
        }
    }

    public List<Example> examples() {
        List<String> blocks = find(JAVA).toList();
        String imports = blocks.stream()
                .map(Page::imports)
                .filter(lines -> !lines.isEmpty())
                .findFirst()
                .orElse("");
        List<Example> examples = new ArrayList<>();
        for (String block : blocks) {
            if (areImports(block)) {
                imports = block;
            } else {
                examples.add(new Example(imports, block));
            }
        }
        return examples;
    }

    private static String imports(String block) {
        return block.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    }

    private static boolean areImports(String block) {
        return block.lines().allMatch(line -> line.startsWith("import "));
    }

    /** Returns the first group of each match. */
    public Stream<String> find(Pattern pattern) {
        return find(pattern, text);
    }

    private static Stream<String> find(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult found) -> found.group(1));
    }

    /** Compiles a class beside its source. {@return the compiler's messages, which should be empty} */
    public static String compile(Path folder, String name, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-parameters",
                "-d",
                folder.toString(),
                "-classpath",
                System.getProperty("java.class.path"));
        compiler.getTask(
                        null,
                        null,
                        found,
                        options,
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
                .call();
        return found.getDiagnostics().stream()
                .filter(Page::isOfTheExample)
                .map(Object::toString)
                .collect(Collectors.joining("\n"));
    }

    /** Not a warning about an annotation in the class file of a library. */
    private static boolean isOfTheExample(Diagnostic<? extends JavaFileObject> found) {
        return !found.getCode().startsWith("compiler.warn.unknown.enum.constant");
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
