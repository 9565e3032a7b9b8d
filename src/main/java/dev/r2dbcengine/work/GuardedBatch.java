package dev.r2dbcengine.work;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.Result;
import org.reactivestreams.Publisher;

/** A batch on a {@link GuardedConnection}. */
final class GuardedBatch implements Batch {

    private final Batch batch;
    private final GuardedConnection connection;

    GuardedBatch(Batch batch, GuardedConnection connection) {
        this.batch = batch;
        this.connection = connection;
    }

    @Override
    public Batch add(String sql) {
        batch.add(sql);
        return this;
    }

    @Override
    public Publisher<? extends Result> execute() {
        return connection.results(batch.execute());
    }
}
