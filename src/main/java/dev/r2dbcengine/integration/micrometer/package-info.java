/**
 * Optional: metrics and traces of engines, by Micrometer. {@link
 * dev.r2dbcengine.integration.micrometer.EngineTelemetry} is what it offers. Wants {@code io.micrometer:micrometer-core}.
 *
 * <p>Gauges, of each engine while it is open. Their names are those that Spring Boot gives to the pools that it makes, and
 * the tag {@code name} is the engine's URL, without password and options:
 *
 * <table>
 * <caption>Gauges</caption>
 * <tr><th>name</th><th>how many connections</th></tr>
 * <tr><td>{@code r2dbc.pool.acquired}</td><td>are borrowed</td></tr>
 * <tr><td>{@code r2dbc.pool.idle}</td><td>wait for a borrower</td></tr>
 * <tr><td>{@code r2dbc.pool.pending}</td><td>are awaited</td></tr>
 * <tr><td>{@code r2dbc.pool.allocated}</td><td>are open: borrowed, idle, or on the way between</td></tr>
 * <tr><td>{@code r2dbc.pool.max.allocated}</td><td>may be open at a time</td></tr>
 * </table>
 *
 * <p>Observations, each a timer and, where there is a tracer, a span. Each has {@code error.type}, the simple name of what
 * failed or {@code none}. The keys of the last column are for spans alone, as they have many values:
 *
 * <table>
 * <caption>Observations</caption>
 * <tr><th>name</th><th>from … to</th><th>keys</th><th>keys of the span</th></tr>
 * <tr><td>{@code r2dbc.pool.acquire}</td><td>the request for a connection … its arrival</td><td>{@code name}; {@code outcome}:
 * {@code acquired}, {@code failed}, {@code cancelled}</td><td></td></tr>
 * <tr><td>{@code r2dbc.unit}</td><td>an attempt of a unit of work with a transaction of its own … its connection is back</td>
 * <td>{@code unit}: its name; {@code attempt}: {@code 1} to {@code 4}, {@code 5+}; {@code outcome}: {@code committed}, {@code
 * rolled_back}, {@code in_doubt}, {@code none} for one that sent no statement</td><td></td></tr>
 * <tr><td>{@code r2dbc.statement}</td><td>it is sent … its last row was read</td><td>{@code db.system.name}; {@code
 * db.operation.name}: its first word, or {@code other}; {@code outcome}: {@code finished}, {@code failed}</td><td>{@code
 * rows}; {@code db.query.text}, where it is asked for</td></tr>
 * <tr><td>{@code r2dbc.migration}</td><td>a migration begins … it is recorded</td><td>{@code type}; {@code outcome}: {@code
 * applied}, {@code failed}</td><td>{@code script}</td></tr>
 * </table>
 */
@NullMarked
package dev.r2dbcengine.integration.micrometer;

import org.jspecify.annotations.NullMarked;
