/**
 * Optional: Spring Boot 4. Wants {@code org.springframework.boot:spring-boot-r2dbc}; with the actuator there is more.
 *
 * <p>{@link dev.r2dbcengine.integration.spring.EngineAutoConfiguration} makes an engine by the properties {@code
 * r2dbc-engine.*}, and {@link dev.r2dbcengine.integration.spring.MigrationAutoConfiguration} migrates its database when the
 * application starts. How the two kinds of transactions go together:
 *
 * <table>
 * <caption>Within one another, on one connection</caption>
 * <tr><th>what</th><th>in a transaction of Spring's</th><th>in a unit of work</th></tr>
 * <tr><td>a statement of ours, a repository, a {@code DatabaseClient}</td><td>is part of it</td><td>is part of it</td></tr>
 * <tr><td>a unit of work</td><td>joins, as it would a unit: when it fails, so does the whole; its hooks wait for the whole;
 * {@code NESTED} is a savepoint, {@code REQUIRES_NEW} another transaction, and Spring's code in that is part of it</td>
 * <td>joins</td></tr>
 * <tr><td>a transaction of Spring's</td><td>as Spring has it</td><td>is a savepoint, {@code REQUIRES_NEW} too</td></tr>
 * </table>
 *
 * <p>It takes the engine and the connection factory of one handle, as the beans are; a second handle on the same URL does not
 * see the transactions of the first.
 */
@NullMarked
package dev.r2dbcengine.integration.spring;

import org.jspecify.annotations.NullMarked;
