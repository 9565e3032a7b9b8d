package dev.r2dbcengine.internal.pool;

import io.r2dbc.spi.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * Releases a pooled connection. reactor-pool signals completion while its release call is still running within the
 * {@link ShutdownGate}, so a subscriber that waits for the pool to close in that signal would deadlock. This publisher
 * therefore terminates only after both: the signal of the release, and the return of the call that subscribed it.
 */
public final class ConnectionRelease extends Mono<Void> {
    private final Connection pooled;

    public ConnectionRelease(Connection pooled) {
        this.pooled = pooled;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Void> actual) {
        ReleaseSubscriber release = new ReleaseSubscriber(actual);
        actual.onSubscribe(release);
        try {
            pooled.close().subscribe(release);
        } catch (RuntimeException e) {
            release.onError(e);
        }
        release.oneCompleted();
    }

    /** Counts the two completions. Cancellation is ignored, since a release must complete. */
    private static final class ReleaseSubscriber extends AtomicInteger implements CoreSubscriber<Void>, Subscription {
        private static final long serialVersionUID = 1L;

        private final transient CoreSubscriber<? super Void> actual;
        private transient @Nullable Throwable failure;

        ReleaseSubscriber(CoreSubscriber<? super Void> actual) {
            this.actual = actual;
        }

        private void oneCompleted() {
            if (getAndIncrement() == 1) {
                Throwable error = failure;
                if (error == null) {
                    actual.onComplete();
                } else {
                    actual.onError(error);
                }
            }
        }

        @Override
        public void onSubscribe(Subscription release) {
            release.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Void none) {}

        @Override
        public void onError(Throwable error) {
            failure = error;
            oneCompleted();
        }

        @Override
        public void onComplete() {
            oneCompleted();
        }

        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    }
}
