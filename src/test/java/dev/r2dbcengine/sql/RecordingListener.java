package dev.r2dbcengine.sql;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records its events. */
final class RecordingListener implements SqlListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void started(SqlExecution execution) {
        events.add("started " + execution);
    }

    @Override
    public void finished(SqlExecution execution, long rows, Duration duration) {
        events.add("finished " + execution + " " + rows + (duration.isNegative() ? " back in time" : ""));
    }

    @Override
    public void failed(SqlExecution execution, Throwable failure, Duration duration) {
        events.add("failed " + execution + " " + failure.getClass().getSimpleName()
                + (duration.isNegative() ? " back in time" : ""));
    }

    @Override
    public void cancelled(SqlExecution execution) {
        events.add("cancelled " + execution);
    }

    /* The class of the last failure. */
    String failure() {
        String last = events.get(events.size() - 1);
        return last.substring(last.lastIndexOf(' ') + 1);
    }

    List<String> events() {
        return events;
    }
}
