package dev.r2dbcengine.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each folder golden/dialect/case has a text, the parameters in it, and the text that the driver is to get. */
class ParsedSqlGoldenTest {

    @TestFactory
    List<DynamicTest> texts() throws IOException, URISyntaxException {
        Path golden = Path.of(
                Objects.requireNonNull(getClass().getResource("/golden")).toURI());
        try (Stream<Path> cases = Files.find(golden, 3, (path, any) -> path.endsWith("input.sql"))) {
            List<DynamicTest> tests = cases.map(Path::getParent)
                    .sorted()
                    .map(ParsedSqlGoldenTest::test)
                    .toList();
            assertThat(tests).hasSizeGreaterThanOrEqualTo(80);
            return tests;
        }
    }

    private static DynamicTest test(Path folder) {
        String dialect = folder.getName(folder.getNameCount() - 2).toString();
        return DynamicTest.dynamicTest(dialect + "/" + folder.getFileName(), () -> {
            ParsedSql parsed = new ParsedSql(Dialect.ofDriver(dialect), read(folder, "input.sql"));
            Object[] values = new Object[parsed.names().size()];
            Arrays.fill(values, "value");
            assertThat(parsed.names()).containsExactlyElementsOf(names(read(folder, "parameters.txt")));
            assertThat(parsed.driverSql(values, null).text()).isEqualTo(read(folder, "driver.sql"));
        });
    }

    private static List<String> names(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    private static String read(Path folder, String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
