package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Creates the application's engine from the properties of this library or the connection details of Spring Boot. */
record DatabaseUrl(ReactiveEngineCache cache, Environment environment) {

    private static final Set<Option<?>> LOGIN =
            Set.of(ConnectionFactoryOptions.USER, ConnectionFactoryOptions.PASSWORD);

    /** Returns the engine for a URL, whose user and password take precedence over the properties. */
    Engine engine(String url, @Nullable String username, @Nullable String password) {
        if (!StringUtils.hasText(username) && !StringUtils.hasText(password)) {
            return cache.engine(url);
        }
        ConnectionFactoryOptions.Builder login = ConnectionFactoryOptions.builder();
        Optional.ofNullable(username).ifPresent(name -> login.option(ConnectionFactoryOptions.USER, name));
        Optional.ofNullable(password).ifPresent(secret -> login.option(ConnectionFactoryOptions.PASSWORD, secret));
        ConnectionFactoryOptions properties = login.build();
        return cache.engineWith(
                url,
                options -> ConnectionFactoryOptions.builder()
                        .from(properties)
                        .from(options)
                        .build());
    }

    /**
     * Returns the engine for connection details. Spring Boot's own details parse {@code spring.r2dbc.url} on access,
     * with errors that contain the password; therefore the cache parses the URL first.
     */
    Engine engine(R2dbcConnectionDetails details) {
        String url = environment.getProperty("spring.r2dbc.url");
        return url == null || details.getClass().getEnclosingClass() != R2dbcAutoConfiguration.class
                ? cache.engine(details.getConnectionFactoryOptions())
                : cache.engineWith(
                        url,
                        options -> ConnectionFactoryOptions.builder()
                                .from(details.getConnectionFactoryOptions())
                                .from(options, LOGIN::contains)
                                .build());
    }
}
