package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationVersionTest {

    private static final Random RANDOM = new Random(20261128);

    private static List<String> randomVersions() {
        return Stream.generate(MigrationVersionTest::randomVersion)
                .filter(version -> version.length() <= 50)
                .limit(300)
                .toList();
    }

    private static String randomVersion() {
        return IntStream.rangeClosed(0, RANDOM.nextInt(4))
                .mapToObj(part -> RANDOM.nextInt(3) == 0 ? "0" : randomPart())
                .collect(Collectors.joining(RANDOM.nextBoolean() ? "." : "_"));
    }

    private static String randomPart() {
        String zeros = "0".repeat(RANDOM.nextInt(2));
        return zeros + (RANDOM.nextInt(9) == 0 ? "92233720368547758079" : String.valueOf(RANDOM.nextInt(12)));
    }

    @Test
    void orderEqualsFlyways() {
        List<String> versions = randomVersions();
        for (String one : versions) {
            for (String other : versions) {
                MigrationVersion left = MigrationVersion.of(one);
                MigrationVersion right = MigrationVersion.of(other);
                var flyways = org.flywaydb.core.api.MigrationVersion.fromVersion(one);
                int expected = flyways.compareTo(org.flywaydb.core.api.MigrationVersion.fromVersion(other));
                assertThat(Integer.signum(left.compareTo(right)))
                        .as("%s and %s", one, other)
                        .isEqualTo(Integer.signum(expected))
                        .isEqualTo(-Integer.signum(right.compareTo(left)));
                assertThat(left.equals(right)).isEqualTo(expected == 0);
                assertThat(left).hasToString(flyways.getVersion());
                if (expected == 0) {
                    assertThat(left).hasSameHashCodeAs(right);
                }
            }
        }
    }

    @Test
    void orderIsTotal() {
        List<MigrationVersion> sorted =
                randomVersions().stream().map(MigrationVersion::of).sorted().toList();
        for (int i = 0; i < sorted.size(); i++) {
            for (int j = i; j < sorted.size(); j++) {
                assertThat(sorted.get(i)).isLessThanOrEqualTo(sorted.get(j));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1.0", "1,01", "1,1_0", "0,0.0.0", "1.10,1.010"})
    void missingPartsAreZero(String one, String other) {
        assertThat(MigrationVersion.of(one)).isEqualTo(MigrationVersion.of(other));
    }

    @Test
    void versionIsNotComparedAsText() {
        assertThat(MigrationVersion.of("1").equals((Object) "1")).isFalse();
    }

    @Test
    void versionLongerThanTheColumnIsRefused() {
        assertThat(MigrationVersion.of("1".repeat(50))).hasToString("1".repeat(50));
        assertThatThrownBy(() -> MigrationVersion.of("1.".repeat(25) + "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("such as 1.2, in at most 50 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1.", ".1", "1..2", "1__2", "-1", "+1", "1.a", "1 ", "١"})
    void invalidVersionIsRefused(String text) {
        assertThatThrownBy(() -> MigrationVersion.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no version");
    }
}
