/**
 * Optional: metrics and traces of engines with Micrometer, by {@link
 * dev.r2dbcengine.integration.micrometer.EngineTelemetry}. Needs {@code io.micrometer:micrometer-core}.
 *
 * <p>Gauges exist for each engine while it is open. They have the names of Spring Boot's gauges of its pools; the tag {@code
 * name} is the URL of the engine without password and options:
 *
 * <table>
 * <caption>Gauges</caption>
 * <tr><th>name</th><th>number of</th></tr>
 * <tr><td>{@code r2dbc.pool.acquired}</td><td>acquired connections</td></tr>
 * <tr><td>{@code r2dbc.pool.idle}</td><td>idle connections</td></tr>
 * <tr><td>{@code r2dbc.pool.pending}</td><td>pending acquisitions</td></tr>
 * <tr><td>{@code r2dbc.pool.allocated}</td><td>open connections: acquired, idle, or in transition</td></tr>
 * <tr><td>{@code r2dbc.pool.max.allocated}</td><td>connections that can be open at a time</td></tr>
 * </table>
 *
 * <p>Each observation is a timer and, with a tracer, a span. It has the key {@code error.type}: the simple class name of the
 * failure, or {@code none}. The keys of the last column are added to spans only, since they have many values:
 *
 * <table>
 * <caption>Observations</caption>
 * <tr><th>name</th><th>from … to</th><th>keys</th><th>keys of the span</th></tr>
 * <tr><td>{@code r2dbc.pool.acquire}</td><td>request for a connection … its arrival</td><td>{@code name}; {@code outcome}:
 * {@code acquired}, {@code failed}, {@code cancelled}</td><td></td></tr>
 * <tr><td>{@code r2dbc.unit}</td><td>start of an attempt of a unit of work that owns its transaction … release of its connection</td>
 * <td>{@code unit}: its name; {@code attempt}: {@code 1} to {@code 4}, {@code 5+}; {@code outcome}: {@code committed}, {@code
 * rolled_back}, {@code in_doubt}, {@code none} for a unit without statements</td><td></td></tr>
 * <tr><td>{@code r2dbc.statement}</td><td>start of a statement … its last row</td><td>{@code db.system.name}; {@code
 * db.operation.name}: its first word, or {@code other}; {@code outcome}: {@code finished}, {@code failed}</td><td>{@code
 * rows}; {@code db.query.text}, on request</td></tr>
 * <tr><td>{@code r2dbc.migration}</td><td>start of a migration … its history row</td><td>{@code type}; {@code outcome}: {@code
 * applied}, {@code failed}</td><td>{@code script}</td></tr>
 * </table>
 */
@NullMarked
package dev.r2dbcengine.integration.micrometer;

import org.jspecify.annotations.NullMarked;
