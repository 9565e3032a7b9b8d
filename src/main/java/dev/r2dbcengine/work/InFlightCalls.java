package dev.r2dbcengine.work;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls that run on guarded connections of a scope, outside its queue. The scope ends when none of them is in flight.
 * Results that were not read by then are read and discarded, since a driver may wait for that. Closing and counting are one
 * atomic step: a statement that started after the end would commit by itself.
 */
final class InFlightCalls {

    private final Owner owner;
    private final Set<Object> running = new HashSet<>();
    private final Set<Unread> unread = new HashSet<>();
    private @Nullable Runnable idle;
    private boolean closed;

    /** The scope on whose connection the calls run. */
    interface Owner {

        boolean isEndedByDatabase();

        WorkException refusal();

        void callFailed(Throwable e, boolean observed);
    }

    /** A result that was not read yet. */
    interface Unread {
        void discard();
    }

    InFlightCalls(Owner owner) {
        this.owner = owner;
    }

    WorkException refusal() {
        return owner.refusal();
    }

    /* For methods that make no call, such as createStatement. */
    synchronized void checkOpen() {
        if (closed) {
            throw refusal();
        }
    }

    synchronized boolean start(Object call) {
        return !closed && !owner.isEndedByDatabase() && running.add(call);
    }

    /* A result that arrived before the end may be read after it, once. */
    synchronized boolean startReading(Unread result, Object call) {
        return (unread.remove(result) || !closed) && running.add(call);
    }

    synchronized void arrived(Unread result) {
        unread.add(result);
    }

    void failed(Throwable e, boolean observed) {
        owner.callFailed(e, observed);
    }

    void ended(Object call) {
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
        for (Unread result : close(then)) {
            result.discard();
            ended(result);
        }
        ended(this);
    }

    /* A result that is to be discarded counts as running until its discard has begun. */
    private synchronized List<Unread> close(Runnable then) {
        closed = true;
        idle = then;
        running.add(this);
        running.addAll(unread);
        return List.copyOf(unread);
    }
}
