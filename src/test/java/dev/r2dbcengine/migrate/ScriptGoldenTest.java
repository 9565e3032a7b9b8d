package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptGoldenTest {

    static List<GoldenScript> cases() {
        return GoldenScript.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void statementsEqualTheFile(GoldenScript golden) {
        assertThat(golden.render()).isEqualTo(golden.statements());
    }

    @Test
    void everyCaseIsRun() {
        Map<String, Long> counts =
                cases().stream().collect(Collectors.groupingBy(GoldenScript::dialectName, Collectors.counting()));
        assertThat(counts).containsOnlyKeys("h2", "mariadb", "postgresql");
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isGreaterThanOrEqualTo(40));
    }
}
