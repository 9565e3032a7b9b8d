/**
 * The front door: one engine for each database URL.
 *
 * <p>The rooms, the lowest first. Each imports only those that are listed before it; the integrations and {@code cli} import
 * the core and not each other, but for {@code spring}, which knows {@code micrometer}:
 *
 * <table>
 * <caption>Packages</caption>
 * <tr><th>package</th><th>what lives there</th></tr>
 * <tr><td>{@link dev.r2dbcengine.dialect}</td><td>what differs between databases, as immutable values</td></tr>
 * <tr><td>{@link dev.r2dbcengine.sql}</td><td>statements with named parameters, rows to records, the connection source</td></tr>
 * <tr><td>{@link dev.r2dbcengine.work}</td><td>the unit of work: transactions, savepoints, the guarded connection</td></tr>
 * <tr><td>{@code dev.r2dbcengine} (this one)</td><td>the cache of engines, the handle on one, its settings</td></tr>
 * <tr><td>{@link dev.r2dbcengine.migrate}</td><td>migrations by Flyway's rules: found, parsed, planned, run, recorded</td></tr>
 * <tr><td>{@link dev.r2dbcengine.integration.micrometer}</td><td>optional: metrics and traces</td></tr>
 * <tr><td>{@link dev.r2dbcengine.integration.junit}</td><td>optional: tests on databases of their own</td></tr>
 * <tr><td>{@link dev.r2dbcengine.integration.spring}</td><td>optional: Spring Boot, and Spring's transactions</td></tr>
 * <tr><td>{@code cli}</td><td>commands; not in the main artifact</td></tr>
 * </table>
 *
 * <p>To find one's way in ten minutes: {@link dev.r2dbcengine.ReactiveEngineCache} says what an engine is, when it opens
 * and when it goes. {@code PoolLookup} is what a subscriber holds, {@code EngineEntry} the life of an engine behind it,
 * {@code EnginePool} what an open one consists of, {@code PhysicalConnections} and {@code ConnectionAttempt} how its
 * connections are made, {@code ConnectionState} what the release of one undoes, {@code ShutdownGate} when the pool may be
 * shut down. {@code EngineUrl} reads URLs into an {@code EngineKey}. {@link dev.r2dbcengine.Engine} is what
 * applications work with; its statements are {@link dev.r2dbcengine.sql.SqlStatement}, and {@code ConnectionLease} is how one gets and
 * gives back its connection. Within a unit of work ({@link dev.r2dbcengine.work.UnitOfWork}) it is a turn instead: {@code
 * OperationQueue} and {@code QueuedOperation} say who is on the connection, {@code Transaction} and {@code Savepoint} begin and end, {@code
 * UnitExecution} is the completion, {@code GuardedConnection} what others get. A migration run ({@link
 * dev.r2dbcengine.migrate.MigrationRunner}) goes from {@code MigrationFinder} and {@code ScriptReader} over {@code Planner}
 * to {@code LockedRun} and {@code ScriptRun}. The rooms of integrations hang on the listeners of the others: begin at {@code
 * EngineTelemetry}, {@code EngineExtension} and {@code EngineAutoConfiguration}; the command line at {@code Tasks}.
 */
@NullMarked
package dev.r2dbcengine;

import org.jspecify.annotations.NullMarked;
