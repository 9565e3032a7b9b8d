package dev.r2dbcengine.dialect;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Calls of PostgreSQL's driver beyond the SPI. Loaded only where a connection is to be ended, or data copied. */
final class PostgresqlDriver {

    private PostgresqlDriver() {}

    /* Done when the server has taken the request, on a connection of the request's own. */
    static @Nullable Publisher<Void> cancel(Connection connection) {
        return connection instanceof PostgresqlConnection postgresql ? postgresql.cancelRequest() : null;
    }

    /* A publisher is one message to the driver, which holds all of it before it sends it: so each piece is one. */
    static @Nullable Publisher<Long> copy(Connection connection, String sql, Publisher<byte[]> data) {
        return connection instanceof PostgresqlConnection postgresql
                ? postgresql
                        .copyIn(sql)
                        .fromMany(subscriber -> data.subscribe(new Messages(subscriber)))
                        .build()
                : null;
    }

    private record Messages(Subscriber<? super Publisher<ByteBuf>> actual) implements Subscriber<byte[]> {

        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(byte[] bytes) {
            Publisher<ByteBuf> message = subscriber -> subscriber.onSubscribe(new One(subscriber, bytes));
            actual.onNext(message);
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

    /* Asked by one thread: the driver collects a message where it subscribes to it. */
    private static final class One implements Subscription {
        private final Subscriber<? super ByteBuf> subscriber;
        private final byte[] bytes;
        private boolean over;

        One(Subscriber<? super ByteBuf> subscriber, byte[] bytes) {
            this.subscriber = subscriber;
            this.bytes = bytes;
        }

        @Override
        public void request(long more) {
            if (!over) {
                over = true;
                subscriber.onNext(Unpooled.wrappedBuffer(bytes));
                subscriber.onComplete();
            }
        }

        @Override
        public void cancel() {
            over = true;
        }
    }
}
