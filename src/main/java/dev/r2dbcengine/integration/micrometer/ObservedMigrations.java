package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.ResolvedMigration;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** The migrations of one run. In a group, several are started before the first one is finished. */
final class ObservedMigrations implements MigrationListener {

    private final Observed migrations;
    private final ContextView context;
    private final Map<ResolvedMigration, Observation> begun = new ConcurrentHashMap<>();

    ObservedMigrations(Observed migrations, ContextView context) {
        this.migrations = migrations;
        this.context = context;
    }

    @Override
    public void started(ResolvedMigration migration) {
        Observation observation = migrations
                .within(context)
                .contextualName("migrate " + migration.script())
                .lowCardinalityKeyValue("type", migration.type().name().toLowerCase(Locale.ROOT))
                .highCardinalityKeyValue("script", migration.script());
        begun.put(migration, observation.start());
    }

    @Override
    public void applied(ResolvedMigration migration, Duration duration) {
        end(migration, "applied", null);
    }

    @Override
    public void failed(ResolvedMigration migration, Throwable failure, Duration duration) {
        end(migration, "failed", failure);
    }

    private void end(ResolvedMigration migration, String outcome, @Nullable Throwable failure) {
        Observation observation = begun.remove(migration);
        if (observation != null) {
            Observed.stop(observation, outcome, failure);
        }
    }
}
