package dev.r2dbcengine.work;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a level past its gate, on connections that were handed out. The level ends when nothing of it runs any
 * more; results that nobody has read are read then, as a driver may wait for that. What comes after that is refused, in
 * one step with being counted: a statement that slipped past the end would commit by itself.
 */
final class InFlightCalls {

    private final TransactionScope level;
    private final Set<Object> running = new HashSet<>();
    private final Set<GuardedResult> unread = new HashSet<>();
    private @Nullable Runnable idle;
    private boolean closed;

    InFlightCalls(TransactionScope level) {
        this.level = level;
    }

    WorkException refusal() {
        return level.transaction().refusal();
    }

    /* For what needs no call: a statement that is only made. */
    synchronized void checkOpen() {
        if (closed) {
            throw refusal();
        }
    }

    synchronized boolean start(Object call) {
        return !closed && !level.transaction().isEndedByDatabase() && running.add(call);
    }

    /* A result that came before the end may be read after it, once. */
    synchronized boolean startReading(GuardedResult result, Object call) {
        return (unread.remove(result) || !closed) && running.add(call);
    }

    synchronized void unread(GuardedResult result) {
        unread.add(result);
    }

    void failed(Throwable e, boolean seen) {
        level.statementFailed(e);
        if (!seen) {
            level.transaction().unseenByWhoLeft("statement", e);
        }
    }

    void over(Object call) {
        Runnable then = remove(call);
        if (then != null) {
            then.run();
        }
    }

    private synchronized @Nullable Runnable remove(Object call) {
        running.remove(call);
        Runnable then = running.isEmpty() ? idle : null;
        if (then != null) {
            idle = null;
        }
        return then;
    }

    void whenIdle(Runnable then) {
        for (GuardedResult result : close(then)) {
            result.discard();
            over(result);
        }
        over(this);
    }

    /* What is to be discarded counts as running until that has begun. */
    private synchronized List<GuardedResult> close(Runnable then) {
        closed = true;
        idle = then;
        running.add(this);
        running.addAll(unread);
        return List.copyOf(unread);
    }
}
