package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.r2dbc.autoconfigure.ConnectionFactoryOptionsBuilderCustomizer;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Creates the application's engine from the properties of this library or the connection details of Spring Boot.
 *
 * @param customizers change the options last, as in Spring Boot
 */
record DatabaseUrl(
        ReactiveEngineCache cache,
        Environment environment,
        List<ConnectionFactoryOptionsBuilderCustomizer> customizers) {

    private static final Set<Option<?>> LOGIN =
            Set.of(ConnectionFactoryOptions.USER, ConnectionFactoryOptions.PASSWORD);

    /** Returns the engine for a URL, whose user and password take precedence over the properties. */
    Engine engine(String url, @Nullable String username, @Nullable String password) {
        ConnectionFactoryOptions.Builder login = ConnectionFactoryOptions.builder();
        Optional.ofNullable(username)
                .filter(StringUtils::hasText)
                .ifPresent(name -> login.option(ConnectionFactoryOptions.USER, name));
        Optional.ofNullable(password)
                .filter(StringUtils::hasText)
                .ifPresent(secret -> login.option(ConnectionFactoryOptions.PASSWORD, secret));
        ConnectionFactoryOptions properties = login.build();
        return cache.engineWith(
                url,
                options -> customized(
                        ConnectionFactoryOptions.builder().from(properties).from(options)));
    }

    private ConnectionFactoryOptions customized(ConnectionFactoryOptions.Builder options) {
        customizers.forEach(customizer -> customizer.customize(options));
        return options.build();
    }

    /**
     * Returns the engine for connection details. Spring Boot's own details parse {@code spring.r2dbc.url} on access,
     * with errors that contain the password; therefore the cache parses the URL first.
     */
    Engine engine(R2dbcConnectionDetails details) {
        String url = environment.getProperty("spring.r2dbc.url");
        return url == null || details.getClass().getEnclosingClass() != R2dbcAutoConfiguration.class
                ? cache.engine(customized(details.getConnectionFactoryOptions().mutate()))
                : cache.engineWith(
                        url,
                        options -> customized(ConnectionFactoryOptions.builder()
                                .from(details.getConnectionFactoryOptions())
                                .from(options, LOGIN::contains)));
    }
}
