package dev.r2dbcengine.soak;

import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;

/** Silences the warnings that the operations cause on purpose. */
final class Quiet implements EngineListener, SqlListener, WorkListener {
    @Override
    public void openingNotAwaited(String url) {}

    @Override
    public void connectionsNotReturned(String url, int connections) {}

    @Override
    public void cleanupFailed(WorkExecution unit, String call, Throwable failure) {}

    @Override
    public void connectionDiscarded(WorkExecution unit) {}

    @Override
    public void statementEnded(WorkExecution unit) {}

    @Override
    public void inDoubt(WorkExecution unit, Throwable failure) {}
}
