package dev.r2dbcengine.internal.blocking;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Result;
import org.reactivestreams.Publisher;

/** A batch of a {@link WorkerConnection}. */
final class WorkerBatch implements Batch {
    private final Batch driver;
    private final Worker worker;

    WorkerBatch(Batch driver, Worker worker) {
        this.driver = driver;
        this.worker = worker;
    }

    @Override
    public Batch add(String sql) {
        driver.add(sql);
        return this;
    }

    @Override
    public Publisher<? extends Result> execute() {
        return worker.<Result>flux(driver::execute).map(result -> new WorkerResult(result, worker));
    }
}
