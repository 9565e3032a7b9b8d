package dev.r2dbcengine.work;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What runs on a level past its gate, on connections that were handed out. The level ends when nothing of it runs any
 * more; results that nobody has read are read then, as a driver may wait for that.
 */
final class RawStatements {

    private final Set<Object> running = ConcurrentHashMap.newKeySet();
    private final Set<GuardedResult> unread = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Runnable> idle = new AtomicReference<>();
    private volatile boolean closed;

    boolean isClosed() {
        return closed;
    }

    void started(Object call) {
        running.add(call);
    }

    void over(Object call) {
        running.remove(call);
        tellIfIdle();
    }

    void unread(GuardedResult result) {
        unread.add(result);
    }

    /* False for the second who would read it. */
    void read(GuardedResult result) {
        unread.remove(result);
    }

    void whenIdle(Runnable then) {
        closed = true;
        idle.set(then);
        unread.forEach(GuardedResult::discard);
        tellIfIdle();
    }

    private void tellIfIdle() {
        if (closed && running.isEmpty()) {
            Runnable then = idle.getAndSet(null);
            if (then != null) {
                then.run();
            }
        }
    }
}
