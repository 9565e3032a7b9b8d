package dev.r2dbcengine.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The behaviour of the {@link FakeDriver} in one call. It has a time ({@link #delays}, {@link #answersOn}, {@link
 * #waits}, {@link #neverAnswers}, {@link #answersAfterCancel}; default: at once) and an outcome ({@link #fails}, {@link
 * #completesEmpty}; default: the ordinary answer): {@code driver.on(COMMIT).times(1).delays(second).fails(e)}.
 */
public final class FakeBehaviour {
    static final FakeBehaviour ORDINARY = new FakeBehaviour(Call.CREATE, any -> true);

    private final Call call;
    private final Predicate<String> detail;
    private final Uses uses = new Uses();
    private volatile Consumer<FakeExchange<?>> moment = FakeExchange::release;
    private volatile Runnable action = () -> {};
    private volatile int rows;
    private volatile boolean ignoresCancel;
    private volatile boolean answersAfterCancel;
    private volatile boolean empty;
    private volatile @Nullable Throwable error;
    private volatile @Nullable RuntimeException thrown;

    FakeBehaviour(Call call, Predicate<String> detail) {
        this.call = call;
        this.detail = detail;
    }

    /** Applies to the first calls only; default: to all. */
    public FakeBehaviour times(int calls) {
        uses.limit(calls);
        return this;
    }

    /** Skips the first calls. */
    public FakeBehaviour skip(int calls) {
        uses.skip(calls);
        return this;
    }

    /** For {@link Call#ROWS}: emits this many rows before time and outcome apply. */
    public FakeBehaviour afterRows(int count) {
        rows = count;
        return this;
    }

    /** Runs an action on the subscriber's thread once the call is subscribed, to cancel or to block there. */
    public FakeBehaviour runs(Runnable test) {
        action = test;
        return this;
    }

    /** Answers after this time on the current parallel scheduler, which may be virtual. */
    public FakeBehaviour delays(Duration time) {
        moment = exchange -> after(time, Schedulers.parallel(), exchange);
        return this;
    }

    /** Answers after this time on this scheduler. */
    public FakeBehaviour delays(Duration time, Scheduler scheduler) {
        moment = exchange -> after(time, scheduler, exchange);
        return this;
    }

    /** Answers on a thread of this scheduler. */
    public FakeBehaviour answersOn(Scheduler scheduler) {
        moment = exchange -> scheduler.schedule(exchange::release);
        return this;
    }

    /** Answers when the test releases the gate. */
    public FakeGate waits() {
        FakeGate gate = new FakeGate();
        moment = gate::hold;
        return gate;
    }

    /** Emits no signal. */
    public FakeBehaviour neverAnswers() {
        moment = exchange -> {};
        return this;
    }

    /** Answers even if the subscriber has cancelled. */
    public FakeBehaviour ignoresCancel() {
        ignoresCancel = true;
        return this;
    }

    /** Answers when the subscriber cancels, from within the cancellation. */
    public FakeBehaviour answersAfterCancel() {
        answersAfterCancel = true;
        return neverAnswers().ignoresCancel();
    }

    /** Fails with this error instead of the answer. */
    public FakeBehaviour fails(Throwable cause) {
        error = cause;
        return this;
    }

    /** Completes without the answer. */
    public FakeBehaviour completesEmpty() {
        empty = true;
        return this;
    }

    /** Throws from the method itself; nothing is subscribed. */
    public FakeBehaviour throwsAtOnce(RuntimeException cause) {
        thrown = cause;
        return this;
    }

    boolean matches(Call actual, String actualDetail, boolean throwing) {
        return call == actual && (thrown != null) == throwing && detail.test(actualDetail) && uses.take();
    }

    void subscribed() {
        action.run();
    }

    void hold(FakeExchange<?> exchange) {
        moment.accept(exchange);
    }

    void cancelled(FakeExchange<?> exchange) {
        if (answersAfterCancel) {
            exchange.release();
        }
    }

    int rows() {
        return rows;
    }

    boolean isIgnoringCancel() {
        return ignoresCancel;
    }

    boolean isEmpty() {
        return empty;
    }

    @Nullable Throwable error() {
        return error;
    }

    void throwIfConfigured() {
        RuntimeException cause = thrown;
        if (cause != null) {
            throw cause;
        }
    }

    private static void after(Duration time, Scheduler scheduler, FakeExchange<?> exchange) {
        scheduler.schedule(exchange::release, time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
