/**
 * Optional: integration with Spring Boot 4. Requires {@code org.springframework.boot:spring-boot-r2dbc}; with the
 * actuator, it adds a health indicator and an endpoint.
 *
 * <p>{@link dev.r2dbcengine.integration.spring.EngineAutoConfiguration} creates an engine from the properties {@code
 * r2dbc-engine.*}, and {@link dev.r2dbcengine.integration.spring.MigrationAutoConfiguration} migrates its database when
 * the application starts. Units of work and Spring's transactions can be nested:
 *
 * <table>
 * <caption>Nested on one connection</caption>
 * <tr><th>inner operation</th><th>in a Spring transaction</th><th>in a unit of work</th></tr>
 * <tr><td>a statement of the engine, a repository, a {@code DatabaseClient}</td><td>takes part</td><td>takes
 * part</td></tr>
 * <tr><td>a unit of work</td><td>joins: its failure rolls back the transaction, and its hooks run after the
 * transaction;
 * {@code NESTED} is a savepoint; {@code REQUIRES_NEW} is another transaction, in which Spring's code takes part
 * too</td>
 * <td>joins</td></tr>
 * <tr><td>a Spring transaction</td><td>as Spring defines it</td><td>is a savepoint, also with {@code
 * REQUIRES_NEW}</td></tr>
 * </table>
 *
 * <p>Both must use the engine and the connection factory of one handle, as the beans do; a second handle for the same
 * URL does not see the transactions of the first one.
 */
@NullMarked
package dev.r2dbcengine.integration.spring;

import org.jspecify.annotations.NullMarked;
