package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.ServerSession;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.TransactionDefinition;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A transaction that is begun and ended by calls on a connection: a unit whose body lasts from the begin to the commit or
 * rollback. As in any unit, nothing is cancelled in flight and the end waits for running statements. The holder of the
 * connection releases it.
 */
final class ManualTransaction implements ConnectionSource, CoreSubscriber<Void> {

    private final Database database;
    private final Connection connection;
    private final Context context;
    private final Object identity;
    private final Sinks.Empty<Void> body = Sinks.empty();
    private final Sinks.Empty<Void> end = Sinks.empty();
    private final Throwable rolledBack = new RolledBack();
    private final Transaction transaction;
    private final Consumer<? super ManualTransaction> ended;
    private volatile Outcome outcome = Outcome.KEEP;
    private volatile @Nullable GuardedConnection guarded;
    private volatile boolean endRequested;
    private volatile boolean hasEnded;

    ManualTransaction(
            Database database,
            Connection connection,
            WorkSettings settings,
            Context context,
            Consumer<? super ManualTransaction> ended) {
        this.database = database;
        this.connection = connection;
        this.context = context;
        this.identity = database.source().identity(context);
        this.ended = ended;
        this.transaction = new Transaction(database.on(this), settings, context, 1);
    }

    /* A transaction that fails to begin has ended. */
    Mono<Void> begin() {
        return Mono.defer(() -> {
            body.asMono().subscribe(new UnitExecution<>(transaction, transaction.settings(), true, this));
            return GuardedConnection.of(transaction)
                    .doOnNext(begun -> guarded = (GuardedConnection) begun)
                    .onErrorResume(e -> rollback().onErrorComplete().then(Mono.error(e)))
                    .then();
        });
    }

    /* The definition overrides the settings of the factory. */
    static WorkSettings settings(WorkSettings settings, @Nullable TransactionDefinition definition) {
        WorkSettings copy = settings.copy();
        copy.rollbackOn = failure -> true;
        if (definition != null) {
            apply(definition, TransactionDefinition.ISOLATION_LEVEL, level -> copy.isolation = level);
            apply(definition, TransactionDefinition.READ_ONLY, readOnly -> copy.readOnly |= readOnly);
            apply(definition, TransactionDefinition.LOCK_WAIT_TIMEOUT, limit -> copy.lockWaitTimeout = limit);
            apply(definition, UnitOfWork.TIMEOUT, limit -> copy.timeout = limit);
            apply(definition, TransactionDefinition.NAME, name -> copy.name = name);
        }
        return copy;
    }

    private static <T> void apply(TransactionDefinition definition, Option<T> option, Consumer<T> setting) {
        T value = definition.getAttribute(option);
        if (value != null) {
            setting.accept(value);
        }
    }

    TransactionScope scope() {
        return transaction;
    }

    GuardedConnection guarded() {
        GuardedConnection begun = guarded;
        if (begun == null) {
            throw new WorkException(transaction.name() + " has not begun: wait until beginTransaction() completes");
        }
        return begun;
    }

    boolean hasTransaction() {
        GuardedConnection begun = guarded;
        return begun != null && begun.hasTransaction();
    }

    Mono<Void> commit() {
        return Mono.defer(() -> {
            body.tryEmitEmpty();
            return end();
        });
    }

    /* A failure of the rollback itself arrives suppressed in the failure of the body. */
    Mono<Void> rollback() {
        return Mono.defer(() -> {
            body.tryEmitError(rolledBack);
            return end().onErrorResume(
                            e -> e == rolledBack,
                            e -> Flux.fromStream(Arrays.stream(e.getSuppressed()))
                                    .next()
                                    .flatMap(Mono::error));
        });
    }

    private Mono<Void> end() {
        endRequested = true;
        notifyHolder();
        return end.asMono();
    }

    /* Until the holder requests the end, it regards the transaction as open. */
    private void notifyHolder() {
        if (endRequested && hasEnded) {
            ended.accept(this);
        }
    }

    /* Whether the connection may be used again after the end. */
    Outcome outcome() {
        return outcome;
    }

    @Override
    public Mono<Connection> borrow() {
        return Mono.just(connection);
    }

    @Override
    public Mono<Void> giveBack(Connection used, Outcome after) {
        return Mono.fromRunnable(() -> outcome = after);
    }

    @Override
    public Mono<ServerSession> session(Connection used) {
        return database.source().session(used);
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return database.source().openUnpooled();
    }

    @Override
    public Object identity(ContextView view) {
        return identity;
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Void nothing) {}

    @Override
    public void onError(Throwable e) {
        hasEnded = true;
        notifyHolder();
        end.tryEmitError(e);
    }

    @Override
    public void onComplete() {
        hasEnded = true;
        notifyHolder();
        end.tryEmitEmpty();
    }

    /** Ends the body when the holder rolls back. It is never emitted to the holder. */
    private static final class RolledBack extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RolledBack() {
            super("Rolled back by the holder of the connection", null, true, false);
        }
    }
}
