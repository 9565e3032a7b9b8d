package dev.r2dbcengine.integration.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says of its engine.
 *
 * @param url R2DBC URL of the database. Unless set, what spring.r2dbc says.
 * @param username User, unless the URL has one.
 * @param password Password, unless the URL has one.
 * @param pool Of the connections.
 * @param maxEngines How many engines may be open at a time. Zero, as unless set, is no limit.
 * @param idleTimeout Time without a connection in use after which an engine is closed. Zero, as unless set: engines stay.
 * @param closeTimeout How long closing waits for borrowed connections. Unless set, 30 seconds. Zero does not wait.
 * @param migrate Of the migrations.
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

    /** Without the password. */
    @Override
    public String toString() {
        return "r2dbc-engine";
    }
}
