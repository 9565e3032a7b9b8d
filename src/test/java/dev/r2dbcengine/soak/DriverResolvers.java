package dev.r2dbcengine.soak;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpResources;

/**
 * The name resolvers that r2dbc-postgresql 1.1.3 creates for each connection and never closes: the event loop keeps
 * about 2.7 kB of each until the process ends. They must not hide leaks of the library.
 */
final class DriverResolvers {
    private static final String OF_A_RESOLVER = "io.netty.resolver.AddressResolverGroup";

    private DriverResolvers() {}

    /** Closes all of them and returns their number. */
    static int removeAll() {
        int removed = 0;
        for (EventExecutor loop : TcpResources.get().onClient(LoopResources.DEFAULT_NATIVE)) {
            for (Object listener : listeners(loop.terminationFuture())) {
                if (listener.getClass().getName().startsWith(OF_A_RESOLVER)) {
                    remove(loop.terminationFuture(), listener);
                    removed++;
                }
            }
        }
        return removed;
    }

    @SuppressWarnings("unchecked")
    private static <T> void remove(Future<T> future, Object listener) {
        future.removeListener((GenericFutureListener<? extends Future<? super T>>) listener);
    }

    /** Returns a copy, which a removal does not shift. */
    private static List<Object> listeners(Future<?> future) {
        Object more = Internals.read(DefaultPromise.class, "listeners", future);
        Object[] all = more == null ? new Object[0] : (Object[]) Internals.read(more.getClass(), "listeners", more);
        return Stream.concat(Stream.of(Internals.read(DefaultPromise.class, "listener", future)), Arrays.stream(all))
                .filter(Objects::nonNull)
                .toList();
    }
}
