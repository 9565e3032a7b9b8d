package dev.r2dbcengine.benchmarks;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** The smallest possible subscriber: it requests everything and keeps the last value. */
final class Receiver implements CoreSubscriber<Object> {
    private Object received;

    static Object of(Mono<?> source) {
        Receiver receiver = new Receiver();
        source.subscribe(receiver);
        return receiver.received;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object value) {
        received = value;
    }

    @Override
    public void onError(Throwable error) {
        received = error;
    }

    @Override
    public void onComplete() {}
}
