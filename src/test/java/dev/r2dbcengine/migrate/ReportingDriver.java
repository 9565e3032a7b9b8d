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
 * A driver that reports the progress of a script: the length of each completed batch, and of each message of COPY data when
 * the driver has assembled it.
 *
 * @param driver the driver that does the work
 * @param type the type of its connections; batches are reported only if it is the type of the SPI
 * @param reported receives each length
 */
record ReportingDriver(ConnectionFactory driver, Class<? extends Connection> type, LongConsumer reported)
        implements ConnectionFactory {

    @Override
    public Publisher<? extends Connection> create() {
        return Mono.fromDirect(driver.create()).map(this::reporting);
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return driver.getMetadata();
    }

    private Connection reporting(Connection connection) {
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
                    ? new Copy(copy, reported)
                    : method.getReturnType() == Batch.class
                            ? new ReportingBatch((Batch) result, reported, new AtomicLong())
                            : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private record ReportingBatch(Batch batch, LongConsumer reported, AtomicLong length) implements Batch {
        @Override
        public Batch add(String sql) {
            batch.add(sql);
            length.addAndGet(sql.length());
            return this;
        }

        @Override
        public Publisher<? extends Result> execute() {
            return Flux.from(batch.execute()).doOnComplete(() -> reported.accept(length.get()));
        }
    }

    private record Copy(CopyInBuilder copy, LongConsumer reported) implements CopyInBuilder {
        @Override
        public CopyInBuilder fromMany(Publisher<? extends Publisher<ByteBuf>> messages) {
            return copy.fromMany(Flux.from(messages).map(this::reporting));
        }

        private Publisher<ByteBuf> reporting(Publisher<ByteBuf> message) {
            AtomicLong length = new AtomicLong();
            return Flux.from(message)
                    .doOnNext(part -> length.addAndGet(part.readableBytes()))
                    .doOnComplete(() -> reported.accept(length.get()));
        }

        @Override
        public Mono<Long> build() {
            return copy.build();
        }
    }
}
