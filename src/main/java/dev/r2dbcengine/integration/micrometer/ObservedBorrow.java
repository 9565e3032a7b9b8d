package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.BorrowListener;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** One borrow of a connection. */
record ObservedBorrow(Observation observation) implements BorrowListener {

    @Override
    public void borrowed() {
        end("acquired", null);
    }

    @Override
    public void failed(Throwable failure) {
        end("failed", failure);
    }

    @Override
    public void left() {
        end("cancelled", null);
    }

    private void end(String outcome, @Nullable Throwable failure) {
        Observed.outcome(observation, outcome);
        Observed.stop(observation, failure);
    }
}
