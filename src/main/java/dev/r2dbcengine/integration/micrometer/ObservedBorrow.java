package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.BorrowListener;
import io.micrometer.observation.Observation;

/** One acquisition of a connection. */
record ObservedBorrow(Observation observation) implements BorrowListener {

    @Override
    public void borrowed() {
        Observed.stop(observation, "acquired", null);
    }

    @Override
    public void failed(Throwable failure) {
        Observed.stop(observation, "failed", failure);
    }

    @Override
    public void cancelled() {
        Observed.stop(observation, "cancelled", null);
    }
}
