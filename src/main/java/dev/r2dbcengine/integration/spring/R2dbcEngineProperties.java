package dev.r2dbcengine.integration.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code r2dbc-engine}.
 *
 * @param url R2DBC URL of the database. Default: spring.r2dbc.url.
 * @param username User. The user of the URL takes precedence.
 * @param password Password. The password of the URL takes precedence.
 * @param pool Settings of the pool.
 * @param maxEngines Maximum number of open engines. Default: zero, no limit.
 * @param idleTimeout Idle time after which an engine is closed. Default: zero, engines stay open.
 * @param closeTimeout How long closing waits for acquired connections. Default: 30 seconds. Zero does not wait.
 * @param migrate Options of the migrations.
 */
@ConfigurationProperties("r2dbc-engine")
record R2dbcEngineProperties(
        @Nullable String url,
        @Nullable String username,
        @Nullable String password,
        @NestedConfigurationProperty @DefaultValue PoolProperties pool,
        @Nullable Integer maxEngines,
        @Nullable Duration idleTimeout,
        @Nullable Duration closeTimeout,
        @NestedConfigurationProperty @DefaultValue MigrateProperties migrate) {

    /** Omits the values, since they include the password. */
    @Override
    public String toString() {
        return "r2dbc-engine";
    }
}
