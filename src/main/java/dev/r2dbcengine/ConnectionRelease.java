package dev.r2dbcengine;

import io.r2dbc.spi.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * Releases a connection. reactor-pool completes a release before it is through with it, within the {@link ShutdownGate}: a
 * subscriber that then waited for the pool to close would wait for itself. So this ends with the later of two: the signal of
 * the release, and the return of the call that began it.
 */
final class ConnectionRelease extends Mono<Void> {
    private final Connection pooled;

    ConnectionRelease(Connection pooled) {
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

    /** Counts the two; a release that has begun is not cancelled. */
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
