package dev.r2dbcengine.integration.micrometer;

import dev.r2dbcengine.AcquisitionListener;
import io.micrometer.observation.Observation;

/** Records the outcome of one acquisition in its observation. */
record MeasuredAcquisition(Observation observation) implements AcquisitionListener {

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
