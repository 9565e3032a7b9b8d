package dev.r2dbcengine.work;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A connection factory for libraries that need one. Equal for equal sources, since Spring binds transactions to it. */
final class SourceConnectionFactory implements ConnectionFactory {

    private final WorkSource source;
    private final WorkSettings settings;

    SourceConnectionFactory(WorkSource source, WorkSettings settings) {
        this.source = source;
        this.settings = settings;
    }

    @Override
    public Mono<Connection> create() {
        return source.lend()
                .map(connection -> connection instanceof GuardedConnection
                        ? connection
                        : new StandaloneConnection(connection, source.database(), settings));
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return source.database().name()::get;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SourceConnectionFactory that && that.source.equals(source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }
}
