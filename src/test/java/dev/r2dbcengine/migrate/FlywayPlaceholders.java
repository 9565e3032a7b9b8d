package dev.r2dbcengine.migrate;

import java.util.Map;

/** Placeholders as Flyway writes them, without a script that they are of. */
final class FlywayPlaceholders {

    private FlywayPlaceholders() {}

    static Placeholders of(Map<String, String> values) {
        return new Placeholders(PlaceholderSettings.FLYWAY.prefix(), PlaceholderSettings.FLYWAY.suffix(), values);
    }
}
