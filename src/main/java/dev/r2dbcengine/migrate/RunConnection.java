package dev.r2dbcengine.migrate;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.work.UnitOfWork;
import java.time.Duration;

/** The connection of a run, and an engine whose statements and units are on it. */
record RunConnection(OneConnection source, Engine engine, Dialect dialect, Uncancelled subscriber) {

    RunConnection(OneConnection source, Dialect dialect, Uncancelled subscriber) {
        this(source, Engine.on(source, dialect), dialect, subscriber);
    }

    /** A COMMIT takes as long as it takes. */
    UnitOfWork unit(String name) {
        return engine.unitOfWork().name(name).cleanupTimeout(Duration.ZERO);
    }

    /** Whether a failure means that the connection is gone. */
    boolean isLost(Throwable failure) {
        return dialect.kindOf(failure) == ErrorKind.CONNECTION_LOST;
    }
}
