package dev.r2dbcengine.internal.pool;

import dev.r2dbcengine.AcquisitionListener;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.ReactiveEngineCache;
import io.r2dbc.spi.Connection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;

/**
 * Calls the listener of the engine of one URL. A listener that throws is logged and changes nothing.
 *
 * @param url redacted
 */
public record ListenerCalls(String url, EngineListener listener) {
    private static final Logger LOG = Loggers.getLogger(ReactiveEngineCache.class);

    /** Reports an event, with the URL. */
    public void report(BiConsumer<EngineListener, String> event) {
        try {
            event.accept(listener, url);
        } catch (Throwable e) {
            LOG.warn("The engine listener failed", e);
        }
    }

    /** Returns the subscriber itself, or one in front of it if the listener observes this acquisition. */
    CoreSubscriber<? super Connection> observed(CoreSubscriber<? super Connection> actual) {
        AcquisitionListener acquisition = acquisition(actual.currentContext());
        return acquisition == null ? actual : new ObservedAcquisition(acquisition, actual);
    }

    private @Nullable AcquisitionListener acquisition(ContextView context) {
        try {
            return listener.borrowing(url, context);
        } catch (Throwable e) {
            LOG.warn("The engine listener failed", e);
            return null;
        }
    }
}
