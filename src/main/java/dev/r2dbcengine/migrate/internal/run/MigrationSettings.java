package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.LockScope;
import dev.r2dbcengine.migrate.MigrationCallback;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.MigrationLocation;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.MigrationSource;
import dev.r2dbcengine.migrate.MigrationVersion;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.migrate.internal.model.NamingRules;
import dev.r2dbcengine.migrate.internal.model.PlaceholderSettings;
import dev.r2dbcengine.migrate.internal.plan.PlanOptions;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/** The options of a {@link MigrationRunner}. Modified only in a new copy, before it is published. */
public final class MigrationSettings implements Cloneable {

    private static final Logger LOG = Loggers.getLogger(MigrationRunner.class);

    public List<MigrationLocation> locations = List.of(MigrationLocation.of("classpath:db/migration"));
    public List<MigrationSource> sources = List.of();
    public List<MigrationCallback> callbacks = List.of();
    public Charset encoding = StandardCharsets.UTF_8;
    public NamingRules naming = NamingRules.FLYWAY;
    public String table = "flyway_schema_history";
    public List<String> schemas = List.of();

    public @Nullable String defaultSchema;

    public boolean createSchemas = true;
    public PlanOptions plan = PlanOptions.DEFAULT;
    public boolean validateOnMigrate = true;
    public boolean baselineOnMigrate;
    public MigrationVersion baselineVersion = MigrationVersion.of("1");
    public String baselineDescription = "<< Flyway Baseline >>";
    public PlaceholderSettings placeholders = PlaceholderSettings.FLYWAY;
    public boolean mixed;
    public boolean group;

    public @Nullable String installedBy;

    public boolean skipExecuting;
    public boolean cleanDisabled = true;
    public LockScope lock = LockScope.SESSION;
    public Duration lockTimeout = Duration.ofMinutes(5);
    public Duration connectTimeout = Duration.ZERO;
    public MigrationListener listener = MigrationListener.DEFAULT;

    public MigrationSettings copy() {
        try {
            return (MigrationSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    public MigrationSettings ofRun(ContextView context) {
        MigrationSettings copy = copy();
        tell(all -> copy.listener = Objects.requireNonNull(all.ofRun(context), "The listener of a run"));
        return copy;
    }

    void tell(Consumer<MigrationListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            LOG.warn("The migration listener failed", e);
        }
    }

    /** Returns the default schema; null for the current one. */
    @Nullable String schema() {
        return defaultSchema == null && !schemas.isEmpty() ? schemas.get(0) : defaultSchema;
    }

    /** Returns the schema of the history, followed by the others. */
    List<String> allSchemas(String home) {
        return Stream.concat(Stream.of(home), schemas.stream()).distinct().toList();
    }

    List<MigrationSource> allSources() {
        return Stream.concat(locations.stream().map(location -> location.encoding(encoding)), sources.stream())
                .toList();
    }

    String installedBy(SessionState session) {
        return installedBy == null ? session.user() : installedBy;
    }

    /** Returns whether existing objects start the history with a baseline; not if migrations are only recorded. */
    boolean takesBaseline() {
        return baselineOnMigrate && !skipExecuting;
    }

    /** Returns the options of the plan. For a run, a pending migration is not a problem. */
    PlanOptions planOf(boolean mayBePending, boolean beginsAtBaseline) {
        PlanOptions options = mayBePending ? plan.ignoring("*:pending") : plan;
        return beginsAtBaseline ? options.baselineOnMigrate(baselineVersion) : options;
    }
}
