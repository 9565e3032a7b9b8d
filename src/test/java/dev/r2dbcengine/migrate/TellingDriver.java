package dev.r2dbcengine.migrate;

import io.netty.buffer.ByteBuf;
import io.r2dbc.postgresql.api.CopyInBuilder;
import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.Result;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A driver that tells how much of a script is done with: the length of each batch that was answered, and of each message of
 * data that are copied, when the driver has put it together.
 *
 * @param driver does the work
 * @param type what its connections are; of more than the SPI, batches are not told of
 * @param told is called with each length
 */
record TellingDriver(ConnectionFactory driver, Class<? extends Connection> type, LongConsumer told)
        implements ConnectionFactory {

    @Override
    public Publisher<? extends Connection> create() {
        return Mono.fromDirect(driver.create()).map(this::telling);
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return driver.getMetadata();
    }

    private Connection telling(Connection connection) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.isDefault()
                        ? InvocationHandler.invokeDefault(proxy, method, arguments)
                        : call(connection, method, arguments)));
    }

    private @Nullable Object call(Connection connection, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            Object result = method.invoke(connection, arguments);
            return result instanceof CopyInBuilder copy
                    ? new Copy(copy, told)
                    : method.getReturnType() == Batch.class
                            ? new TellingBatch((Batch) result, told, new AtomicLong())
                            : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private record TellingBatch(Batch batch, LongConsumer told, AtomicLong length) implements Batch {
        @Override
        public Batch add(String sql) {
            batch.add(sql);
            length.addAndGet(sql.length());
            return this;
        }

        @Override
        public Publisher<? extends Result> execute() {
            return Flux.from(batch.execute()).doOnComplete(() -> told.accept(length.get()));
        }
    }

    private record Copy(CopyInBuilder copy, LongConsumer told) implements CopyInBuilder {
        @Override
        public CopyInBuilder fromMany(Publisher<? extends Publisher<ByteBuf>> messages) {
            return copy.fromMany(Flux.from(messages).map(this::telling));
        }

        private Publisher<ByteBuf> telling(Publisher<ByteBuf> message) {
            AtomicLong length = new AtomicLong();
            return Flux.from(message)
                    .doOnNext(part -> length.addAndGet(part.readableBytes()))
                    .doOnComplete(() -> told.accept(length.get()));
        }

        @Override
        public Mono<Long> build() {
            return copy.build();
        }
    }
}
