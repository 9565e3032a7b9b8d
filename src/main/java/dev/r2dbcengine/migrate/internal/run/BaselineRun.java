package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.AppliedMigration;
import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationReport;
import dev.r2dbcengine.migrate.MigrationType;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.plan.History;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Starts a history with a baseline, by the rules of Flyway's {@code baseline}. */
public record BaselineRun(MigrationSettings settings) {

    private static final Set<CallbackEvent> EVENTS = EnumSet.of(
            CallbackEvent.AFTER_CONNECT,
            CallbackEvent.CREATE_SCHEMA,
            CallbackEvent.BEFORE_CREATE_SCHEMA,
            CallbackEvent.BEFORE_BASELINE,
            CallbackEvent.AFTER_BASELINE,
            CallbackEvent.AFTER_BASELINE_ERROR);

    /** Returns the report if the history exists: no lock is needed, since a history is never removed. */
    public @Nullable MigrationReport first(MigrationSnapshot look) {
        return look.exists() && !Callbacks.any(settings, look, EVENTS) ? judge(look, true) : null;
    }

    public LockedRun.Locked<MigrationReport> locked(RunConnection run, MigrationSnapshot first) {
        return new CallbackFrame<>(CallbackPhase.BASELINE, settings, run, look -> run(run, look, first.exists()));
    }

    private Mono<MigrationReport> run(RunConnection run, MigrationSnapshot look, boolean wasThere) {
        MigrationReport done = judge(look, wasThere);
        return done != null
                ? Mono.just(done)
                : look.writer(run.engine(), settings)
                        .baseline(look.nextRank(), settings.baselineVersion, settings.baselineDescription)
                        .thenReturn(MigrateRun.report(look, List.of()));
    }

    /** Returns null if the baseline can be written. */
    private @Nullable MigrationReport judge(MigrationSnapshot look, boolean wasThere) {
        String table = look.table().qualified();
        List<AppliedMigration> rows =
                look.rows().stream().filter(History::isMigration).toList();
        for (AppliedMigration row : rows) {
            if (row.type().equals(MigrationType.BASELINE)) {
                requireSame(row, table);
                return MigrateRun.report(look, List.of());
            }
        }
        if (rows.stream().anyMatch(row -> !row.type().synthetic())) {
            throw new InvalidMigrationException("The history " + table
                    + " has migrations, and a baseline only begins one: leave baseline() out, or use another table");
        }
        if (wasThere) {
            throw new InvalidMigrationException("The history " + table
                    + " is there, without migrations: to begin with a baseline, drop it before baseline()");
        }
        if (!rows.isEmpty() && settings.baselineVersion.equals(MigrationVersion.of("0"))) {
            throw new InvalidMigrationException(
                    "A baseline of version 0 is what the creation of the schemas stands for: choose a higher baselineVersion");
        }
        return null;
    }

    private void requireSame(AppliedMigration row, String table) {
        if (!settings.baselineVersion.equals(row.version())
                || !settings.baselineDescription.equals(row.description())) {
            throw new InvalidMigrationException("The history " + table + " begins with a baseline of version "
                    + row.version() + ", '" + row.description() + "', and not of " + settings.baselineVersion + ", '"
                    + settings.baselineDescription + "': a baseline is not changed afterwards");
        }
    }
}
