/**
 * The entry point of the library: a cache of engines, one for each database URL.
 *
 * <p>The packages, in layers from the bottom up. Each package depends only on those that precede it. The integrations
 * and {@code cli} depend on the core and not on one another, except that {@code spring} depends on {@code micrometer}:
 *
 * <table>
 * <caption>Packages</caption>
 * <tr><th>package</th><th>content</th></tr>
 * <tr><td>{@link dev.r2dbcengine.dialect}</td><td>immutable descriptions of the differences between databases</td></tr>
 * <tr><td>{@link dev.r2dbcengine.sql}</td><td>statements with named parameters, row mapping</td></tr>
 * <tr><td>{@link dev.r2dbcengine.work}</td><td>units of work: transactions and savepoints</td></tr>
 * <tr><td>{@code dev.r2dbcengine} (this one)</td><td>the engine cache, engine handles and settings</td></tr>
 * <tr><td>{@link dev.r2dbcengine.migrate}</td><td>Flyway-compatible migrations</td></tr>
 * <tr><td>{@link dev.r2dbcengine.integration.micrometer}</td><td>optional: metrics and traces</td></tr>
 * <tr><td>{@link dev.r2dbcengine.integration.junit}</td><td>optional: a separate database for each test</td></tr>
 * <tr><td>{@link dev.r2dbcengine.integration.spring}</td><td>optional: Spring Boot and Spring transactions</td></tr>
 * <tr><td>{@code cli}</td><td>commands; not in the main artifact</td></tr>
 * </table>
 *
 * <p>Packages named {@code internal} are not for users and may change in any release. Each belongs to the package above it
 * and may depend on its public types; among themselves they are layered in this order:
 *
 * <table>
 * <caption>Inner packages</caption>
 * <tr><th>package</th><th>content</th></tr>
 * <tr><td>{@code internal.text}</td><td>printable names, durations, a bounded cache; below all other packages</td></tr>
 * <tr><td>{@code internal.blocking}</td><td>worker threads for drivers that block</td></tr>
 * <tr><td>{@code internal.url}</td><td>URLs, their keys, and the settings in them</td></tr>
 * <tr><td>{@code internal.pool}</td><td>the pool of an engine and its physical connections</td></tr>
 * <tr><td>{@code migrate.internal.script}</td><td>scripts: statements, placeholders, checksums</td></tr>
 * <tr><td>{@code migrate.internal.model}</td><td>migrations with their content and names</td></tr>
 * <tr><td>{@code migrate.internal.plan}</td><td>the state of each migration, validation, selection</td></tr>
 * <tr><td>{@code migrate.internal.find}</td><td>the search for migrations in locations</td></tr>
 * <tr><td>{@code migrate.internal.history}</td><td>the history table and the state of a session</td></tr>
 * <tr><td>{@code migrate.internal.run}</td><td>runs: lock, steps, callbacks, reports</td></tr>
 * </table>
 *
 * <p>A guide to the code:
 *
 * <ul>
 *   <li><b>Engines.</b> {@link dev.r2dbcengine.ReactiveEngineCache} describes the life of an engine. {@code EngineUrl}
 *       parses a URL into an {@code EngineKey}; {@code PoolLookup} is the publisher that subscribers hold; {@code
 *       EngineEntry} is the state machine of an engine. {@code EnginePool} is an open engine: {@code
 *       PhysicalConnections} and {@code ConnectionAttempt} create its connections, {@code ConnectionState} resets them
 *       on release, and {@code ShutdownGate} orders its shutdown after concurrent calls.
 *   <li><b>Statements.</b> Applications use {@link dev.r2dbcengine.Engine} and its {@link
 *       dev.r2dbcengine.sql.SqlStatement}s. A {@code ConnectionLease} acquires and releases the connection of one
 *       execution.
 *   <li><b>Units of work</b> ({@link dev.r2dbcengine.work.UnitOfWork}). A statement is a {@code QueuedOperation} in the
 *       {@code OperationQueue} of the connection. {@code Transaction} and {@code Savepoint} begin, commit and roll
 *       back, {@code UnitEnd} completes the unit, and {@code GuardedConnection} is the connection that user code
 *       gets.
 *   <li><b>Migrations</b> ({@link dev.r2dbcengine.migrate.MigrationRunner}). In order: {@code MigrationFinder}, {@code
 *       ScriptReader}, {@code Planner}, {@code LockedRun}, {@code ScriptRun}.
 *   <li><b>Integrations</b> are built on the listeners of the core. Start at {@code EngineTelemetry}, {@code
 *       EngineExtension} and {@code EngineAutoConfiguration}; for the command line, at {@code Tasks}.
 * </ul>
 */
@NullMarked
package dev.r2dbcengine;

import org.jspecify.annotations.NullMarked;
