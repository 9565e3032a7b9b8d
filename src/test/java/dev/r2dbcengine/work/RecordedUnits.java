package dev.r2dbcengine.work;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A {@link WorkListener} that records its events in order. */
final class RecordedUnits implements WorkListener {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Throwable> hookFailures = new CopyOnWriteArrayList<>();

    List<String> events() {
        return events;
    }

    List<Throwable> hookFailures() {
        return hookFailures;
    }

    long count(String event) {
        return events.stream().filter(event::equals).count();
    }

    @Override
    public void began(WorkExecution unit) {
        events.add("began");
    }

    @Override
    public void committed(WorkExecution unit, Duration duration) {
        events.add("committed");
    }

    @Override
    public void rolledBack(WorkExecution unit, Duration duration) {
        events.add("rolled back");
    }

    @Override
    public void inDoubt(WorkExecution unit, Throwable failure) {
        events.add("in doubt");
    }

    @Override
    public void retrying(WorkExecution unit, Throwable failure) {
        events.add("retrying after " + unit.attempt());
    }

    @Override
    public void rowsBuffered(WorkExecution unit) {
        events.add("rows buffered");
    }

    @Override
    public void statementEnded(WorkExecution unit) {
        events.add("statement ended");
    }

    @Override
    public void cleanupFailed(WorkExecution unit, String call, Throwable failure) {
        events.add(call + " failed");
    }

    @Override
    public void connectionDiscarded(WorkExecution unit) {
        events.add("connection discarded");
    }

    @Override
    public void hookFailed(WorkExecution unit, Throwable failure) {
        events.add("hook failed");
        hookFailures.add(failure);
    }
}
