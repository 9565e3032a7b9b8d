package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.InTransaction;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.migrate.internal.script.ScriptReader;
import dev.r2dbcengine.testing.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.ClassicConfiguration;
import org.flywaydb.core.internal.database.h2.H2Parser;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParsingContext;
import org.flywaydb.core.internal.resource.StringResource;
import org.flywaydb.core.internal.sqlscript.SqlStatement;
import org.flywaydb.core.internal.sqlscript.SqlStatementIterator;
import org.flywaydb.database.mysql.mariadb.MariaDBParser;
import org.flywaydb.database.postgresql.PostgreSQLParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flyway's own parser is the judge of the golden scripts. {@link ScriptReader} says where it is not followed, and why. */
class FlywayParserTest {

    /** Flyway does not come back from these. */
    private static final Set<String> ENDLESS = Set.of("copy-and-more", "copy-at-the-end", "copy-without-end");

    private static final Set<String> DIFFERENT = Set.of(
            "begin-atomic-case",
            "begin-atomic-end-names",
            "begin-atomic-parameters",
            "begin-not-atomic",
            "closed-once-too-often",
            "comment-ends-with-return",
            "comments-do-not-nest",
            "compound-without-a-program",
            "dashes-need-space",
            "definer",
            "delimiter-after-comment",
            "delimiter-is-a-column",
            "delimiter-missing",
            "delimiter-not-closed",
            "escape-string-continued",
            "event",
            "executable-comments",
            "hash-comment-ends-with-return",
            "marker-hides-tags",
            "marker-in-prepare",
            "no-end-of-backticks",
            "no-end-of-begin",
            "no-end-of-comment",
            "no-end-of-dollars",
            "no-end-of-double-quotes",
            "no-end-of-escape-string",
            "no-end-of-identifier",
            "no-end-of-parenthesis",
            "no-end-of-string",
            "no-end-of-tag",
            "old-mac-lines",
            "oracle-loop",
            "outside-a-transaction",
            "procedure-blocks",
            "psql-command",
            "psql-command-after",
            "slash-comment",
            "trigger-of-one-block");

    private static final Pattern LINE_END = Pattern.compile("\\r\\n|\\r|\\n");

    private static final List<Cut> REFUSED = List.of(new Cut(0, "an error", false));

    static List<GoldenScript> same() {
        return cases(false);
    }

    static List<GoldenScript> different() {
        return cases(true);
    }

    private static List<GoldenScript> cases(boolean different) {
        return GoldenScript.all().stream()
                .filter(golden -> !ENDLESS.contains(name(golden)) && DIFFERENT.contains(name(golden)) == different)
                .toList();
    }

    private static String name(GoldenScript golden) {
        return golden.name().substring("script-".length());
    }

    @ParameterizedTest
    @MethodSource("same")
    void statementsEqualFlyways(GoldenScript golden) {
        assertThat(ours(golden)).isEqualTo(flyway(golden));
    }

    /** With LF, CRLF, CR and mixed ends of lines. Flyway counts no line at a carriage return. */
    @ParameterizedTest
    @MethodSource("same")
    void statementsEqualFlywaysWithEveryLineEnding(GoldenScript golden) {
        for (int seed = 0; seed < Proof.rounds(10, 300) && !golden.name().contains("copy"); seed++) {
            GoldenScript changed = withOtherLineEnds(golden, seed);
            assertThat(withOneLineEnd(ours(changed))).as("seed %d", seed).isEqualTo(withOneLineEnd(flyway(changed)));
        }
    }

    private static GoldenScript withOtherLineEnds(GoldenScript golden, int seed) {
        List<String> ends = List.of("\n", "\r\n", "\r");
        Random chance = new Random(seed);
        String text = LINE_END.matcher(golden.script())
                .replaceAll(end -> ends.get(seed < ends.size() ? seed : chance.nextInt(ends.size())));
        return new GoldenScript(golden.dialectName(), golden.name(), text, golden.statements());
    }

    private static List<Cut> withOneLineEnd(List<Cut> cuts) {
        return cuts.stream()
                .map(cut -> new Cut(0, LINE_END.matcher(cut.text()).replaceAll("\n"), cut.inTransaction()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("different")
    void documentedDifferencesToFlywayAreTheOnlyOnes(GoldenScript golden) {
        assertThat(ours(golden)).isNotEqualTo(flyway(golden));
    }

    private static List<Cut> ours(GoldenScript golden) {
        try {
            return GoldenScript.statements(golden.dialect(), GoldenScript.script(golden.script())).stream()
                    .map(one -> new Cut(one.line(), one.text(), one.transactional() != InTransaction.NO))
                    .toList();
        } catch (ScriptException e) {
            return REFUSED;
        }
    }

    private static List<Cut> flyway(GoldenScript golden) {
        List<Cut> cuts = new ArrayList<>();
        try (SqlStatementIterator statements =
                parser(golden.dialectName()).parse(new StringResource(golden.script()))) {
            while (statements.hasNext()) {
                SqlStatement one = statements.next();
                cuts.add(new Cut(one.getLineNumber(), one.getSql(), one.canExecuteInTransaction()));
            }
            return cuts;
        } catch (FlywayException e) {
            return REFUSED;
        }
    }

    private static Parser parser(String dialect) {
        ClassicConfiguration configuration = new ClassicConfiguration();
        ParsingContext context = new ParsingContext();
        return switch (dialect) {
            case "h2" -> new H2Parser(configuration, context);
            case "postgresql" -> new PostgreSQLParser(configuration, context);
            default -> new MariaDBParser(configuration, context);
        };
    }

    private record Cut(int line, String text, boolean inTransaction) {}
}
