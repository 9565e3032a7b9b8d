package dev.r2dbcengine.migrate.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.migrate.MigrationFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlaceholderSettingsTest {
    private static MigrationScript script(PlaceholderSettings placeholders, String text) {
        MigrationFile file =
                MigrationFile.of("R__x.sql", () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        return new MigrationScript(file, ScriptSettings.NONE, placeholders, true);
    }

    private static int checksum(String text) throws IOException {
        return PlaceholderSettings.FLYWAY.checksum(script(PlaceholderSettings.FLYWAY, text));
    }

    @Test
    void checksumCoversTheWholeFile() throws IOException {
        assertThat(checksum("CREATE TABLE t(id int);\r\n\r\nINSERT INTO t VALUES (1);\r\n"))
                .isEqualTo(-657446903);
        assertThat(checksum("")).isZero();
        assertThat(checksum("copy t from stdin;\n1\n\\.\n-- end"))
                .isNotEqualTo(checksum("copy t from stdin;\n2\n\\.\n-- end"));
    }

    @Test
    void bothChecksumsOfRepeatableAreKnown() throws IOException {
        PlaceholderSettings placeholders = PlaceholderSettings.FLYWAY.values(Map.of("a", "a"));
        MigrationScript script = script(placeholders, "${a}\nb\n");

        assertThat(placeholders.checksumAfterPlaceholders(script)).isEqualTo(-1635563411);
        assertThat(placeholders.checksum(script)).isEqualTo(checksum("${a}b"));
        assertThat(script.matches(-1635563411)).isTrue();
        assertThat(script.matches(checksum("${a}b"))).isTrue();
        assertThat(script.matches(0)).isFalse();
    }
}
