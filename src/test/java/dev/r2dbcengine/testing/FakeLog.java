package dev.r2dbcengine.testing;

import static java.util.function.Predicate.not;

import io.r2dbc.spi.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscriber;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The record of one {@link FakeDriver}: always counters, and lists of calls if they are enabled. */
final class FakeLog {
    private final Queue<Entry> calls = new ConcurrentLinkedQueue<>();
    private final Queue<ExecutedStatement> executed = new ConcurrentLinkedQueue<>();
    private final Queue<ContextView> createContexts = new ConcurrentLinkedQueue<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicLong executions = new AtomicLong();
    private final AtomicLong rowsRequested = new AtomicLong();
    private final AtomicLong rowsEmitted = new AtomicLong();
    private volatile boolean recording = true;

    private record Entry(int connection, Call call, String detail, boolean cancel) {
        @Override
        public String toString() {
            return connection + (cancel ? " cancel " : " ") + call.with(detail);
        }
    }

    void stopRecording() {
        recording = false;
        clear();
    }

    void clear() {
        List.of(calls, executed, createContexts).forEach(Collection::clear);
        rowsRequested.set(0);
        rowsEmitted.set(0);
    }

    void called(int connection, Call call, String detail) {
        if (recording) {
            calls.add(new Entry(connection, call, detail, false));
        }
    }

    void cancelled(int connection, Call call, String detail) {
        if (recording) {
            calls.add(new Entry(connection, call, detail, true));
        }
    }

    void executed(ExecutedStatement statement) {
        executions.incrementAndGet();
        if (recording) {
            executed.add(statement);
        }
    }

    void createdFor(Subscriber<? super Connection> subscriber) {
        if (recording) {
            createContexts.add(subscriber instanceof CoreSubscriber<?> core ? core.currentContext() : Context.empty());
        }
    }

    void violated(int connection, String what) {
        violations.add(connection + " " + what);
    }

    void opened() {
        created.incrementAndGet();
    }

    void closed() {
        closed.incrementAndGet();
    }

    void rowsRequested(long count) {
        rowsRequested.accumulateAndGet(count, Operators::addCap);
    }

    void rowEmitted() {
        rowsEmitted.incrementAndGet();
    }

    List<String> calls(Set<Call> hidden) {
        return calls.stream()
                .filter(not(entry -> hidden.contains(entry.call)))
                .map(Entry::toString)
                .toList();
    }

    List<ExecutedStatement> executed() {
        return List.copyOf(executed);
    }

    List<ContextView> createContexts() {
        return List.copyOf(createContexts);
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    int createdConnections() {
        return created.get();
    }

    int closedConnections() {
        return closed.get();
    }

    long executions() {
        return executions.get();
    }

    long rowsRequested() {
        return rowsRequested.get();
    }

    long rowsEmitted() {
        return rowsEmitted.get();
    }
}
