package dev.r2dbcengine.testing;

import java.lang.reflect.Proxy;

/** A listener of any kind that throws from each method, as an assertion of a test would, with the name of the event. */
public final class BrokenListener {
    private BrokenListener() {}

    public static <L> L of(Class<L> kind) {
        return kind.cast(
                Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (proxy, event, arguments) -> {
                    throw new AssertionError("broken in " + event.getName());
                }));
    }
}
