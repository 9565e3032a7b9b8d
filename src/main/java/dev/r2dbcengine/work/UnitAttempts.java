package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/** The attempts of a unit that begins a transaction, for one subscription. Each attempt has its own transaction. */
final class UnitAttempts<T> extends Flux<T> {

    /* Errors that a server reports after it has rolled back. */
    private static final Set<ErrorKind> TRANSIENT = EnumSet.of(ErrorKind.SERIALIZATION_FAILURE, ErrorKind.DEADLOCK);

    private final Database database;
    private final WorkSettings settings;
    private final boolean single;
    private final Function<? super Work, ? extends Publisher<? extends T>> body;
    private @Nullable List<Throwable> earlier;
    private @Nullable Transaction last;
    private final long started = System.nanoTime();
    private int conflicts;
    private boolean emitted;

    UnitAttempts(
            Database database,
            WorkSettings settings,
            boolean single,
            Function<? super Work, ? extends Publisher<? extends T>> body) {
        this.database = database;
        this.settings = settings;
        this.single = single;
        this.body = body;
    }

    Flux<T> run(Dialect dialect) {
        RetryPolicy policy = settings.retry;
        if (policy == null) {
            return this;
        }
        List<Throwable> failures = new ArrayList<>();
        earlier = failures;
        RetryBackoffSpec retry = Retry.backoff(Long.MAX_VALUE, policy.firstPause())
                .maxBackoff(policy.longestPause())
                .filter(e -> mayRetry(policy, dialect, e))
                .doBeforeRetry(signal -> retrying(failures, signal.failure()));
        return doOnNext(value -> emitted = true)
                .retryWhen(retry)
                .doOnError(e -> failures.forEach(other -> Transaction.suppress(e, other)));
    }

    private boolean mayRetry(RetryPolicy policy, Dialect dialect, Throwable e) {
        if (emitted || isCommitted()) {
            return false;
        }
        if (isConflict(dialect, e) || isOfOutdatedPlan(dialect, e)) {
            return conflicts++ < policy.retries();
        }
        return isFailover(e) && System.nanoTime() - started < policy.failover().toNanos();
    }

    private boolean isFailover(Throwable e) {
        Transaction ended = last;
        return ended != null && ended.isFailover(e);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        List<Throwable> failures = earlier;
        int attempt = failures == null ? 1 : failures.size() + 1;
        Transaction transaction;
        try {
            transaction = new Transaction(database, settings, actual.currentContext(), attempt);
        } catch (RuntimeException e) {
            Operators.error(actual, e);
            return;
        }
        last = transaction;
        UnitExecution.start(transaction, settings, single, body, new DefaultWork(transaction, false), actual);
    }

    /* With rollbackOn(…), a failure may be emitted after the commit. */
    private boolean isCommitted() {
        Transaction ended = last;
        return ended != null && ended.isCommitted();
    }

    private boolean isOfOutdatedPlan(Dialect dialect, Throwable e) {
        Transaction ended = last;
        return ended != null && ended.metOutdatedPlan() && dialect.kindOf(e) == ErrorKind.TRANSACTION_ABORTED;
    }

    static boolean isConflict(Dialect dialect, Throwable e) {
        return TRANSIENT.contains(dialect.kindOf(e));
    }

    private void retrying(List<Throwable> failures, Throwable failure) {
        failures.add(failure);
        Transaction failed = last;
        if (failed != null) {
            failed.notifyListener(listener -> listener.retrying(failed, failure));
        }
    }
}
