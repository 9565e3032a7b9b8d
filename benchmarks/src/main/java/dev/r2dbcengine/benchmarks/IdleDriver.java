package dev.r2dbcengine.benchmarks;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.lang.reflect.Proxy;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A driver that does nothing, at once. */
final class IdleDriver implements ConnectionFactory {
    @Override
    public Publisher<? extends Connection> create() {
        return Mono.fromSupplier(IdleDriver::connection);
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return () -> "Idle";
    }

    private static Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                IdleDriver.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "validate" -> Mono.just(true);
                    case "isAutoCommit" -> true;
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> Publisher.class.isAssignableFrom(method.getReturnType()) ? Mono.empty() : null;
                });
    }
}
