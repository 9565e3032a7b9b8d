package dev.r2dbcengine.migrate;

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

/** What a {@link MigrationRunner} was told. Written only while it is being copied, before anybody else has it. */
final class MigrationSettings implements Cloneable {

    private static final Logger LOG = Loggers.getLogger(MigrationRunner.class);

    List<MigrationLocation> locations = List.of(MigrationLocation.of("classpath:db/migration"));
    List<MigrationSource> sources = List.of();
    List<MigrationCallback> callbacks = List.of();
    Charset encoding = StandardCharsets.UTF_8;
    NamingRules naming = NamingRules.FLYWAY;
    String table = "flyway_schema_history";
    List<String> schemas = List.of();

    @Nullable String defaultSchema;

    boolean createSchemas = true;
    PlanOptions plan = PlanOptions.DEFAULT;
    boolean validateOnMigrate = true;
    boolean baselineOnMigrate;
    MigrationVersion baselineVersion = MigrationVersion.of("1");
    String baselineDescription = "<< Flyway Baseline >>";
    PlaceholderSettings placeholders = PlaceholderSettings.FLYWAY;
    boolean mixed;
    boolean group;

    @Nullable String installedBy;

    boolean skipExecuting;
    boolean cleanDisabled = true;
    LockScope lock = LockScope.SESSION;
    Duration lockTimeout = Duration.ofMinutes(5);
    Duration connectTimeout = Duration.ZERO;
    MigrationListener listener = MigrationListener.DEFAULT;

    MigrationSettings copy() {
        try {
            return (MigrationSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    MigrationSettings ofRun(ContextView context) {
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

    /** Null for the current one. */
    @Nullable String schema() {
        return defaultSchema == null && !schemas.isEmpty() ? schemas.get(0) : defaultSchema;
    }

    /** The history's first, then the others. */
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

    /** Whether objects without a history are its baseline. What is only recorded needs none. */
    boolean takesBaseline() {
        return baselineOnMigrate && !skipExecuting;
    }

    /** What a run does with the plan's options: that something is pending is why it runs. */
    PlanOptions planOf(boolean mayBePending, boolean beginsAtBaseline) {
        PlanOptions options = mayBePending ? plan.ignoring("*:pending") : plan;
        return beginsAtBaseline ? options.baselineOnMigrate(baselineVersion) : options;
    }
}
