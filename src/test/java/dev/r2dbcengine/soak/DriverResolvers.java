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
 * What r2dbc-postgresql 1.1.3 leaves behind of each connection: it makes a resolver of names for it and never closes that, so
 * that the event loop holds on to some 2.7 kB until the process ends. It is not to hide what is the library's.
 */
final class DriverResolvers {
    private static final String OF_A_RESOLVER = "io.netty.resolver.AddressResolverGroup";

    private DriverResolvers() {}

    /** Lets all of them go; how many there were. */
    static int forget() {
        int forgotten = 0;
        for (EventExecutor loop : TcpResources.get().onClient(LoopResources.DEFAULT_NATIVE)) {
            for (Object listener : listeners(loop.terminationFuture())) {
                if (listener.getClass().getName().startsWith(OF_A_RESOLVER)) {
                    remove(loop.terminationFuture(), listener);
                    forgotten++;
                }
            }
        }
        return forgotten;
    }

    @SuppressWarnings("unchecked")
    private static <T> void remove(Future<T> future, Object listener) {
        future.removeListener((GenericFutureListener<? extends Future<? super T>>) listener);
    }

    /** A copy, which a removal does not shift. */
    private static List<Object> listeners(Future<?> future) {
        Object more = Internals.read(DefaultPromise.class, "listeners", future);
        Object[] all = more == null ? new Object[0] : (Object[]) Internals.read(more.getClass(), "listeners", more);
        return Stream.concat(Stream.of(Internals.read(DefaultPromise.class, "listener", future)), Arrays.stream(all))
                .filter(Objects::nonNull)
                .toList();
    }
}
