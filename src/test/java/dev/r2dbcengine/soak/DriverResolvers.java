package dev.r2dbcengine.soak;

import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
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
    static long forget() {
        return StreamSupport.stream(
                        TcpResources.get()
                                .onClient(LoopResources.DEFAULT_NATIVE)
                                .spliterator(),
                        false)
                .map(EventExecutor::terminationFuture)
                .flatMap(future -> resolvers(future).stream().map(listener -> remove(future, listener)))
                .count();
    }

    private static <T> Future<T> remove(Future<T> future, Object listener) {
        @SuppressWarnings("unchecked")
        GenericFutureListener<? extends Future<? super T>> removed =
                (GenericFutureListener<? extends Future<? super T>>) listener;
        return future.removeListener(removed);
    }

    private static List<Object> resolvers(Future<?> future) {
        return listeners(future)
                .filter(listener -> listener.getClass().getName().startsWith(OF_A_RESOLVER))
                .toList();
    }

    private static Stream<Object> listeners(Future<?> future) {
        Object more = field(DefaultPromise.class, "listeners", future);
        Object[] all = more == null ? new Object[0] : (Object[]) field(more.getClass(), "listeners", more);
        return Stream.concat(Stream.of(field(DefaultPromise.class, "listener", future)), Arrays.stream(all))
                .filter(Objects::nonNull);
    }

    private static Object field(Class<?> type, String name, Object of) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This Netty keeps its listeners elsewhere", e);
        }
    }
}
