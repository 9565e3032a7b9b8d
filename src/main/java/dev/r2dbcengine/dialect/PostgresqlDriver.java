package dev.r2dbcengine.dialect;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** What PostgreSQL's driver can do beyond the SPI. Loaded only where a connection is to be ended, or data copied. */
final class PostgresqlDriver {

    private PostgresqlDriver() {}

    /* Done when the server has taken the request, on a connection of the request's own. */
    static @Nullable Publisher<Void> cancel(Connection connection) {
        return connection instanceof PostgresqlConnection postgresql ? postgresql.cancelRequest() : null;
    }

    static @Nullable Publisher<Long> copy(Connection connection, String sql, Publisher<byte[]> data) {
        return connection instanceof PostgresqlConnection postgresql
                ? postgresql.copyIn(sql, subscriber -> data.subscribe(new Buffers(subscriber)))
                : null;
    }

    private record Buffers(Subscriber<? super ByteBuf> actual) implements Subscriber<byte[]> {

        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(byte[] bytes) {
            actual.onNext(Unpooled.wrappedBuffer(bytes));
        }

        @Override
        public void onError(Throwable e) {
            actual.onError(e);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }
    }
}
