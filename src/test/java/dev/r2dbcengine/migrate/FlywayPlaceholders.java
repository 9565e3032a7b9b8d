package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.script.Placeholders;
import java.util.Map;

/** Placeholders as Flyway writes them, without a script that they are of. */
public final class FlywayPlaceholders {

    private FlywayPlaceholders() {}

    public static Placeholders of(Map<String, String> values) {
        return new Placeholders(PlaceholderSettings.FLYWAY.prefix(), PlaceholderSettings.FLYWAY.suffix(), values);
    }
}
