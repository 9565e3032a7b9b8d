package dev.r2dbcengine.cli;

import dev.r2dbcengine.cli.Settings.Value;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of a call, from all places.
 *
 * @param places flags, environment, file: an earlier place overrides a later one
 */
record Configuration(List<Settings> places) {

    Optional<Value> value(RunSetting setting) {
        return places.stream().flatMap(place -> place.value(setting).stream()).findFirst();
    }

    MigrationRunner of(MigrationRunner runner) {
        MigrationRunner changed = runner.placeholders(placeholders());
        for (RunSetting setting : RunSetting.values()) {
            Optional<Value> value = value(setting);
            if (value.isPresent()) {
                changed = changed(changed, setting, value.get());
            }
        }
        return changed;
    }

    private static MigrationRunner changed(MigrationRunner runner, RunSetting setting, Value value) {
        try {
            return setting.option().to().apply(runner, value.text());
        } catch (RuntimeException e) {
            throw new WrongUsageException(value.from() + ": " + Wording.of(String.valueOf(e.getMessage())), e);
        }
    }

    Map<String, String> placeholders() {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        places.forEach(place -> place.placeholderValues().forEach(all::putIfAbsent));
        return all;
    }
}
