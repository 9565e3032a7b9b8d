package dev.r2dbcengine.work;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The actions after the end of a transaction, one after the other, whatever becomes of those before. */
final class AfterCompletion implements TimedCall.Caller {

    private final Transaction transaction;
    private final UnitExecution<?> run;
    private final Iterator<Mono<Void>> actions;
    private final AtomicInteger turns = new AtomicInteger();

    AfterCompletion(Transaction transaction, UnitExecution<?> run, List<Mono<Void>> actions) {
        this.transaction = transaction;
        this.run = run;
        this.actions = actions.iterator();
    }

    @Override
    public Transaction transaction() {
        return transaction;
    }

    @Override
    public WorkTimeoutException late(String what, Duration deadline) {
        return WorkTimeoutException.ofAction(deadline);
    }

    /* Those that end at once run in this loop and not within each other. */
    void next() {
        if (turns.getAndIncrement() == 0) {
            do {
                if (!actions.hasNext()) {
                    transaction.over(run);
                    return;
                }
                Mono<Void> action = actions.next();
                transaction.call("action after the end", this, (unit, all) -> action, AfterCompletion::ended);
            } while (turns.decrementAndGet() != 0);
        }
    }

    private static void ended(Transaction transaction, AfterCompletion all, @Nullable Throwable e) {
        if (e != null) {
            transaction.tell(listener -> listener.hookFailed(transaction, e));
        }
        all.next();
    }
}
