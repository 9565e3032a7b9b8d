package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.AcquisitionListener;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.r2dbc.pool.PoolMetrics;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Records metrics of engines: gauges of their pools, and an observation of each acquisition, unit of work, statement
 * and migration. The description of this package lists their names. This class implements all listeners:
 *
 * <pre>{@code
 * EngineTelemetry telemetry = EngineTelemetry.on(meters, observations);
 * ReactiveEngineCache engines = ReactiveEngineCache.builder().listeners(telemetry).build();
 * MigrationRunner runner = MigrationRunner.on(engine).listener(telemetry);
 * }</pre>
 *
 * <p>The parent of an observation is the one in the Reactor Context of the subscriber, where WebFlux and Reactor put
 * it, else that of the subscribing thread; the parent of observations in a unit of work is that of the unit. Each
 * observation that is started is stopped once, on completion, error and cancellation. No bound value and no message of
 * a driver, which may contain values, is recorded. SQL is recorded only {@linkplain #withSql on request}. The warnings
 * of the listeners' default methods are still logged.
 *
 * <p>Immutable; threads and caches may share it. The gauges of engines with the same URL are added up, so create one
 * object for each {@link MeterRegistry}.
 */
public final class EngineTelemetry implements EngineListener, SqlListener, WorkListener, MigrationListener {

    private static final int MAX_ATTEMPTS = 5;

    private final PoolGauges gauges;
    private final ObservationRegistry registry;
    private final boolean sql;
    private final Observed acquisitions;
    private final Observed units;
    private final Observed statements;
    private final Observed migrations;

    private EngineTelemetry(PoolGauges gauges, ObservationRegistry registry, boolean sql) {
        this.gauges = gauges;
        this.registry = registry;
        this.sql = sql;
        this.acquisitions = new Observed(registry, "r2dbc.pool.acquire");
        this.units = new Observed(registry, "r2dbc.unit");
        this.statements = new Observed(registry, "r2dbc.statement");
        this.migrations = new Observed(registry, "r2dbc.migration");
    }

    /**
     * Creates a listener for metrics without traces: observations become timers of the registry.
     *
     * @param meters receives gauges and timers
     * @return a listener
     */
    public static EngineTelemetry on(MeterRegistry meters) {
        ObservationRegistry timers = ObservationRegistry.create();
        timers.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        return on(meters, timers);
    }

    /**
     * Creates a listener for gauges and observations. The handlers of the observation registry process the
     * observations. Spring Boot registers handlers for timers and, with a tracer, for spans; a registry without
     * handlers records nothing.
     *
     * @param meters receives the gauges
     * @param observations receives the observations
     * @return a listener
     */
    public static EngineTelemetry on(MeterRegistry meters, ObservationRegistry observations) {
        return new EngineTelemetry(new PoolGauges(meters), observations, false);
    }

    /**
     * Adds the text of statements to the spans. The text contains the names of parameters and not their values; values
     * that an application writes into the text itself are visible in the traces.
     *
     * @return a listener that records SQL and shares the gauges of this one
     */
    public EngineTelemetry withSql() {
        return new EngineTelemetry(gauges, registry, true);
    }

    @Override
    public void poolOpened(String url, PoolMetrics pool) {
        gauges.add(url, pool);
    }

    @Override
    public void poolClosed(String url, PoolMetrics pool) {
        gauges.remove(url, pool);
    }

    @Override
    public @Nullable AcquisitionListener borrowing(String url, ContextView context) {
        if (registry.isNoop()) {
            return null;
        }
        Observation acquisition =
                acquisitions.within(context).contextualName("acquire").lowCardinalityKeyValue("name", url);
        return new MeasuredAcquisition(acquisition.start());
    }

    @Override
    public ContextView entering(SqlExecution execution) {
        String operation = Operation.of(execution.sql());
        Observation statement = statements
                .within(execution.context())
                .contextualName(operation)
                .lowCardinalityKeyValue(
                        "db.system.name", execution.dialect().name().toLowerCase(Locale.ROOT))
                .lowCardinalityKeyValue("db.operation.name", operation);
        if (sql) {
            statement.highCardinalityKeyValue("db.query.text", execution.sql());
        }
        return statements.put(execution.context(), statement.start());
    }

    @Override
    public void finished(SqlExecution execution, long rows, Duration duration) {
        Observation statement = statements.of(execution.context());
        statement.highCardinalityKeyValue("rows", Long.toString(rows));
        Observed.stop(statement, "finished", null);
    }

    @Override
    public void failed(SqlExecution execution, Throwable failure, Duration duration) {
        Observed.stop(statements.of(execution.context()), "failed", failure);
    }

    @Override
    public Context entering(WorkExecution unit) {
        int attempt = unit.attempt();
        Observation started = units.within(unit.context())
                .contextualName(unit.name())
                .lowCardinalityKeyValue("unit", unit.name())
                .lowCardinalityKeyValue("attempt", attempt < MAX_ATTEMPTS ? "" + attempt : MAX_ATTEMPTS + "+")
                .start();
        return Observed.asParent(units.put(unit.context(), started), started);
    }

    @Override
    public void committed(WorkExecution unit, Duration duration) {
        Observed.outcome(units.of(unit.context()), "committed");
    }

    @Override
    public void rolledBack(WorkExecution unit, Duration duration) {
        Observed.outcome(units.of(unit.context()), "rolled_back");
    }

    @Override
    public void inDoubt(WorkExecution unit, Throwable failure) {
        WorkListener.super.inDoubt(unit, failure);
        Observed.outcome(units.of(unit.context()), "in_doubt");
    }

    @Override
    public void ended(WorkExecution unit, @Nullable Throwable failure) {
        Observation ended = units.of(unit.context());
        Observed.outcomeIfAbsent(ended, "none");
        Observed.stop(ended, failure);
    }

    @Override
    public MigrationListener ofRun(ContextView context) {
        return new ObservedMigrations(migrations, context);
    }
}
