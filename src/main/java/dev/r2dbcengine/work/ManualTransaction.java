package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.ConnectionSource;
import dev.r2dbcengine.sql.Outcome;
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
 * A transaction that is begun and ended by calls on a connection: a unit whose body lasts from one call to the other. So all
 * holds for it that holds for a unit, whoever makes the calls: nothing is cancelled in flight, and the end waits for what
 * runs. Its connection is the holder's, who gives it back.
 */
final class ManualTransaction implements ConnectionSource, CoreSubscriber<Void> {

    private final ContextualConnectionSource database;
    private final Connection connection;
    private final Context context;
    private final Object identity;
    private final Sinks.Empty<Void> body = Sinks.empty();
    private final Sinks.Empty<Void> over = Sinks.empty();
    private final Throwable rolledBack = new RolledBack();
    private final Transaction transaction;
    private final Consumer<? super ManualTransaction> ended;
    private volatile Outcome outcome = Outcome.KEEP;
    private volatile @Nullable GuardedConnection guarded;
    private volatile boolean asked;
    private volatile boolean isOver;

    ManualTransaction(
            ContextualConnectionSource database,
            Connection connection,
            WorkSettings settings,
            Context context,
            Consumer<? super ManualTransaction> ended) {
        this.database = database;
        this.connection = connection;
        this.context = context;
        this.identity = database.identity(context);
        this.ended = ended;
        this.transaction = new Transaction(database.on(this), settings, context, 1);
    }

    /* One that fails to begin is over. */
    Mono<Void> begin() {
        return Mono.defer(() -> {
            UnitExecution.start(transaction, transaction.settings(), true, work -> body.asMono(), this);
            return transaction
                    .borrow()
                    .doOnNext(begun -> guarded = (GuardedConnection) begun)
                    .onErrorResume(e -> rollback().onErrorComplete().then(Mono.error(e)))
                    .then();
        });
    }

    /* What the definition does not tell is as the factory's units have it. */
    static WorkSettings settings(WorkSettings settings, @Nullable TransactionDefinition definition) {
        WorkSettings copy = settings.copy();
        copy.rollbackOn = failure -> true;
        if (definition != null) {
            told(definition, TransactionDefinition.ISOLATION_LEVEL, level -> copy.isolation = level);
            told(definition, TransactionDefinition.READ_ONLY, readOnly -> copy.readOnly |= readOnly);
            told(definition, TransactionDefinition.LOCK_WAIT_TIMEOUT, limit -> copy.lockWaitTimeout = limit);
            told(definition, TransactionDefinition.NAME, name -> copy.name = name);
        }
        return copy;
    }

    private static <T> void told(TransactionDefinition definition, Option<T> option, Consumer<T> setting) {
        T value = definition.getAttribute(option);
        if (value != null) {
            setting.accept(value);
        }
    }

    TransactionScope level() {
        return transaction;
    }

    GuardedConnection guarded() {
        GuardedConnection begun = guarded;
        if (begun == null) {
            throw new WorkException(transaction.name() + " has not begun: wait for what beginTransaction() gives");
        }
        return begun;
    }

    boolean isInLevel() {
        GuardedConnection begun = guarded;
        return begun != null && begun.isInLevel();
    }

    Mono<Void> commit() {
        return Mono.defer(() -> {
            body.tryEmitEmpty();
            return end();
        });
    }

    /* A failure of the rollback itself is suppressed in that of the body. */
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
        asked = true;
        tellHolder();
        return over.asMono();
    }

    /* Not before the holder has asked for the end: until then the holder takes the unit for open. */
    private void tellHolder() {
        if (asked && isOver) {
            ended.accept(this);
        }
    }

    /* Of the connection, after the end. */
    Outcome outcome() {
        return outcome;
    }

    @Override
    public Mono<Connection> borrow() {
        return Mono.just(connection);
    }

    @Override
    public Mono<Void> giveBack(Connection held, Outcome after) {
        return Mono.fromRunnable(() -> outcome = after);
    }

    @Override
    public Mono<Connection> openUnpooled() {
        return database.openUnpooled();
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
        isOver = true;
        tellHolder();
        over.tryEmitError(e);
    }

    @Override
    public void onComplete() {
        isOver = true;
        tellHolder();
        over.tryEmitEmpty();
    }

    /** The holder wants it so. Nobody sees it. */
    private static final class RolledBack extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RolledBack() {
            super("Rolled back by the holder of the connection", null, true, false);
        }
    }
}
