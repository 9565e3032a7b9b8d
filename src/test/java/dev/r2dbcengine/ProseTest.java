package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Page;
import dev.r2dbcengine.testing.Prose;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Comments, messages and pages name their actors and use the verbs of the field. The limit is the level of well-known
 * libraries of the field, measured with the same patterns.
 */
class ProseTest {
    private static final double LIMIT_PER_THOUSAND_WORDS = 0.3;

    private static final Map<String, Pattern> HABITS = Map.of(
            "'tell' for report, return or throw", Pattern.compile("(?i)\\b(?:tells?|told|telling)\\b"),
            "an actor without a name",
                    Pattern.compile("(?i)\\b(?:nobody|somebody|anybody|everybody|whoever|whom|(?:one|those) who"
                            + "|who (?:leaves?|left|comes?|waits?|asks?))\\b"),
            "a clause with 'what' or 'who' as subject",
                    Pattern.compile(
                            "(?:^|[.:;] )(?:What|Whatever|Who|Whoever) (?!(?:is|are|does|do|happens|if)\\b[^.]*\\?)"));

    @TestFactory
    Stream<DynamicTest> proseNamesItsActors() throws IOException {
        Map<String, List<Prose>> rooms = Map.of(
                "comments of the library",
                Prose.comments(Path.of("src/main/java")),
                "messages of the library",
                Prose.messages(Path.of("src/main/java")),
                "comments of the tests",
                Prose.comments(Path.of("src/test/java")),
                "comments of the benchmarks",
                Prose.comments(Path.of("benchmarks/src")),
                "pages",
                Stream.concat(
                                Page.all().stream(),
                                Stream.of("CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")
                                        .map(Path::of)
                                        .map(Page::of))
                        .map(page -> Prose.page(page.path(), page.text()))
                        .toList());
        return rooms.entrySet().stream()
                .flatMap(room -> HABITS.entrySet().stream()
                        .map(habit -> DynamicTest.dynamicTest(
                                room.getKey() + ": " + habit.getKey(),
                                () -> assertRare(room.getValue(), habit.getValue()))));
    }

    private static void assertRare(List<Prose> texts, Pattern habit) {
        long words = texts.stream().mapToLong(Prose::words).sum();
        List<String> found = texts.stream().flatMap(text -> text.find(habit)).toList();
        assertThat(words).isPositive();
        assertThat(1000.0 * found.size() / words)
                .as(() -> "%d in %d words:%n%s".formatted(found.size(), words, String.join("\n", found)))
                .isLessThanOrEqualTo(LIMIT_PER_THOUSAND_WORDS);
    }

    @Test
    void habitIsFoundInEachKindOfText() {
        Pattern told = Pattern.compile("told");
        String code = """
                class A { // is told
                    /* and told */
                    char quote = '"'; // told {@code told} "told"
                    String s = "it told " + "told";
                    String block = \"""
                            told // told
                            \""";
                }
                """;
        assertThat(Prose.comments(Path.of("A.java"), code).find(told)).hasSize(3);
        assertThat(Prose.messages(Path.of("A.java"), code).find(told)).hasSize(4);
        assertThat(Prose.page(Path.of("a.md"), "told `told` [told](told.md)\n```\ntold\n```\ntold")
                        .find(told))
                .hasSize(3);
    }
}
