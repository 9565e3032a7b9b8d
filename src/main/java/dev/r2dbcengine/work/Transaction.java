package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.StatementEnd;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * The outermost scope of a unit. The first statement acquires the connection and begins the transaction; the end of the unit
 * commits it or rolls it back, releases the connection, and runs the actions after the end. No call is cancelled in flight;
 * if a call is not answered in time, the connection is discarded.
 */
final class Transaction extends TransactionScope implements WorkExecution {

    private static final Logger LOG = Loggers.getLogger("dev.r2dbcengine.work.UnitOfWork");

    private static final String ROLLBACK = "rollback";
    private static final String RESET = "reset of the session";
    private static final String RELEASE = "return of the connection";

    private final Database database;
    private final WorkSettings settings;
    private final Object identity;
    private final int attempt;

    private volatile @Nullable ConnectionAcquisition acquisition;
    private volatile boolean discard;
    private volatile boolean unanswered;
    private volatile boolean committed;
    private volatile boolean inDoubt;
    private volatile @Nullable Throwable endedByDatabase;
    private volatile @Nullable Throwable aborted;
    private volatile boolean outdatedPlan;
    private volatile boolean rowsBuffered;
    private @Nullable TransactionStart start;
    private long began;
    private int savepoints;
    private @Nullable Map<Class<?>, Object> repositories;

    Transaction(Database database, WorkSettings settings, Context context, int attempt) {
        super(context);
        this.database = database;
        this.settings = settings;
        this.identity = database.source().identity(context);
        this.attempt = attempt;
    }

    /** Sets a transaction up before its first statement. */
    @FunctionalInterface
    interface SetUp {
        Publisher<?> run(Transaction transaction, Connection connection);
    }

    @Override
    Transaction transaction() {
        return this;
    }

    @Override
    void entered() {
        notifyListener(listener -> context(Objects.requireNonNull(listener.entering(this), "The Context of a unit")));
    }

    @Override
    @Nullable TransactionScope outer() {
        return null;
    }

    Database database() {
        return database;
    }

    WorkSettings settings() {
        return settings;
    }

    Object identity() {
        return identity;
    }

    @Override
    public String name() {
        return settings.name;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public String toString() {
        return settings.name;
    }

    @Override
    void prepare(Waiter waiter) {
        Connection open = connection();
        if (isEndedByDatabase()) {
            waiter.fail(refusal());
        } else if (open != null) {
            waiter.run(open);
        } else {
            ConnectionAcquisition request = new ConnectionAcquisition(this, waiter);
            acquisition = request;
            discard = false;
            unanswered = false;
            request.start();
        }
    }

    @Override
    void stopWaiting(Waiter waiter) {
        ConnectionAcquisition request = acquisition;
        if (request != null && request.isFor(waiter)) {
            request.cancel();
        }
    }

    void begin(ConnectionAcquisition request, Connection acquired) {
        Publisher<?> ahead = beginAhead(request, acquired);
        if (ahead != null) {
            request.beginAhead(ahead);
        } else if (settings.isPlain()) {
            TimedCall.run(
                    request, (transaction, acquiring) -> acquiring.acquired().beginTransaction(), Transaction::begun);
        } else {
            TransactionStart starting = new TransactionStart(acquired, settings);
            start = starting;
            TimedCall.run(
                    request,
                    (transaction, acquiring) -> database.dialect().flatMapMany(starting::begin),
                    Transaction::begun);
        }
    }

    /* Null if the first statement has to wait for the answer to BEGIN. */
    private @Nullable Publisher<?> beginAhead(ConnectionAcquisition request, Connection acquired) {
        boolean pipelined = settings.onBegin == null && request.waiter().isPipelined() && isPipelined(acquired);
        return pipelined ? new TransactionStart(acquired, settings).ahead(dialect()) : null;
    }

    void begunAhead(ConnectionAcquisition request) {
        hasBegun(request);
        request.opened();
    }

    /*
     * The statement has ended too. If the server rejected BEGIN, the statement may have run in auto-commit mode, so the unit
     * must not commit. If it did not answer, the statement was lost with the connection.
     */
    void failedAhead(ConnectionAcquisition request, Throwable e) {
        rejectedAhead(e);
        failedToBegin(request, Outcome.DISCARD, e);
    }

    void rejectedAhead(Throwable e) {
        if (isAnswer(e)) {
            demandRollback(false, e);
        }
    }

    private void hasBegun(ConnectionAcquisition request) {
        began = System.nanoTime();
        request.begun();
        notifyListener(listener -> listener.began(this));
    }

    private void begun(ConnectionAcquisition request, @Nullable Throwable e) {
        if (e != null) {
            failedToBegin(request, Outcome.DISCARD, e);
            return;
        }
        hasBegun(request);
        if (settings.onBegin == null) {
            opened(request);
        } else {
            setUp(request, settings.onBegin);
        }
    }

    /* Without its set-up nothing may run: a failure rolls back, and the next statement begins another transaction. */
    private void setUp(ConnectionAcquisition request, SetUp onBegin) {
        TimedCall.run(
                request,
                (transaction, acquiring) -> onBegin.run(transaction, acquiring.acquired()),
                Transaction::setUpEnded);
    }

    private void setUpEnded(ConnectionAcquisition request, @Nullable Throwable failure) {
        Throwable e = failure == null && isEndedByDatabase() ? refusal() : failure;
        if (e == null) {
            opened(request);
        } else if (unanswered) {
            notSetUp(request, e);
        } else {
            call(
                    ROLLBACK,
                    request,
                    (transaction, acquiring) -> acquiring.acquired().rollbackTransaction(),
                    (transaction, acquiring, also) -> {
                        suppress(e, also);
                        if (also != null) {
                            discard = true;
                        }
                        notSetUp(acquiring, e);
                    });
        }
    }

    private void notSetUp(ConnectionAcquisition request, Throwable e) {
        notifyListener(listener -> listener.rolledBack(this, duration()));
        boolean clean = !discard && (start == null || !start.hasToRestore());
        failedToBegin(request, clean ? Outcome.KEEP : Outcome.DISCARD, e);
    }

    private void opened(ConnectionAcquisition request) {
        request.opened();
        request.waiter().run(request.acquired());
    }

    /* After a failed BEGIN it is not known whether the server has begun the transaction. */
    private void failedToBegin(ConnectionAcquisition request, Outcome outcome, Throwable e) {
        acquisition = null;
        endedByDatabase = null;
        aborted = null;
        release(request, request.acquired(), outcome, (transaction, acquiring, failure) -> {
            transaction.reportRelease(failure);
            acquiring.waiter().fail(e);
        });
    }

    void failed(Throwable e) {
        Dialect dialect = dialect();
        if (Outcome.after(e, dialect) == Outcome.DISCARD && !isOwnReadOnly(dialect, e)) {
            discard = true;
        }
        ConnectionAcquisition request = acquisition;
        if (request == null || !request.hasBegun()) {
            return;
        }
        ErrorKind kind = dialect.kindOf(e);
        outdatedPlan |= isOutdatedPlan(e);
        if (!isEndedByDatabase() && endsTransaction(kind, dialect)) {
            endedByDatabase(request, kind, e);
        }
        if (dialect.has(Feature.FAILURES_ABORT_TRANSACTIONS) && isAnswer(e)) {
            aborted = e;
        }
    }

    /*
     * PostgreSQL rejects a cached plan after a change of the schema. Its driver then repeats the statement with a new plan,
     * which is too late in a transaction: the answer is that the transaction is aborted, although no statement has failed.
     */
    private boolean isOutdatedPlan(Throwable e) {
        return aborted == null && dialect().kindOf(e) == ErrorKind.TRANSACTION_ABORTED;
    }

    /* A retry of the unit uses the new plan. */
    boolean metOutdatedPlan() {
        return outdatedPlan;
    }

    @Override
    boolean holds(Waiter statement, @Nullable Throwable e) {
        ConnectionAcquisition request = acquisition;
        return request != null && request.holds(statement, e);
    }

    /* Only the first statement, and only if the rollback leaves nothing to repeat but that statement. */
    @Override
    boolean restarts(Waiter first, Throwable e) {
        ConnectionAcquisition request = acquisition;
        TransactionStart started = start;
        boolean restarts = request != null
                && request.isOpen()
                && request.isFor(first)
                && isOutdatedPlan(e)
                && (started == null || !started.hasToRestore())
                && request.beginAgain();
        if (restarts) {
            call(
                    ROLLBACK,
                    Objects.requireNonNull(request),
                    (transaction, acquiring) -> acquiring.acquired().rollbackTransaction(),
                    (transaction, acquiring, failure) -> transaction.beginAgain(acquiring, e, failure));
        }
        return restarts;
    }

    private void beginAgain(ConnectionAcquisition request, Throwable e, @Nullable Throwable failure) {
        if (failure == null) {
            notifyListener(listener -> listener.rolledBack(this, duration()));
            request.rolledBack();
            begin(request, request.acquired());
        } else {
            suppress(e, failure);
            lost(failure);
            request.waiter().fail(e);
        }
    }

    /* PostgreSQL reports a write in a transaction that was declared read-only like one on a read-only server. */
    private boolean isOwnReadOnly(Dialect dialect, Throwable e) {
        return settings.readOnly && dialect.kindOf(e) == ErrorKind.READ_ONLY_SERVER;
    }

    /* True if a failure is that of the server and not of the application, and nothing can have been committed. */
    boolean isFailover(Throwable e) {
        ErrorKind kind = dialect().kindOf(e);
        boolean ofServer = kind == ErrorKind.CONNECTION_LOST
                || (kind == ErrorKind.READ_ONLY_SERVER && !settings.readOnly)
                || (e instanceof R2dbcTimeoutException && connection() == null);
        return ofServer && !committed && !inDoubt;
    }

    private static boolean endsTransaction(ErrorKind kind, Dialect dialect) {
        return switch (kind) {
            case CONNECTION_LOST, TRANSACTION_LOST -> true;
            case DEADLOCK, SERIALIZATION_FAILURE -> dialect.has(Feature.CONFLICTS_END_TRANSACTIONS);
            default -> false;
        };
    }

    /* A later statement would commit by itself, on this session or on one that the driver has opened silently. */
    private void endedByDatabase(ConnectionAcquisition request, ErrorKind kind, Throwable e) {
        endedByDatabase = e;
        if (kind == ErrorKind.TRANSACTION_LOST) {
            discard = true;
        }
        if (kind == ErrorKind.CONNECTION_LOST) {
            stillInUse();
        }
        if (request.isOpen()) {
            demandRollback(false, e);
        }
    }

    private Dialect dialect() {
        Dialect known = database.known();
        return known == null ? Dialect.ANSI : known;
    }

    boolean isPipelined(Connection acquired) {
        Dialect dialect = database.known();
        return dialect != null && database.source().isPipelined(acquired, dialect);
    }

    Publisher<Void> createSavepoint(Connection on, String savepoint) {
        return unlessAborted(() -> on.createSavepoint(savepoint));
    }

    Publisher<Void> releaseSavepoint(Connection on, String savepoint) {
        return unlessAborted(() -> on.releaseSavepoint(savepoint));
    }

    Publisher<Void> rollBackTo(Connection on, String savepoint) {
        return Mono.defer(() -> Mono.fromDirect(on.rollbackTransactionToSavepoint(savepoint)))
                .doOnSuccess(done -> aborted = null);
    }

    /* In an aborted transaction, PostgreSQL's driver reports success without sending anything. */
    private Publisher<Void> unlessAborted(Supplier<Publisher<Void>> call) {
        return Mono.defer(() -> {
            Throwable cause = aborted;
            return cause == null ? Mono.fromDirect(call.get()) : Mono.error(refusalAfter(cause));
        });
    }

    private WorkException refusalAfter(Throwable cause) {
        return new WorkException(
                settings.name
                        + " was aborted by the database, after a failure that its body has swallowed: let it pass, or"
                        + " run what may fail in a savepoint",
                cause);
    }

    /* A savepoint or transaction call failed, so the state of the connection is unknown. */
    void lost(Throwable e) {
        failed(e);
        discard = true;
        if (e instanceof WorkTimeoutException) {
            stillInUse();
        }
    }

    /* Sends nothing more on the connection: it has not answered a call, or its session is lost. */
    void stillInUse() {
        discard = true;
        unanswered = true;
    }

    /* The database has rolled the transaction back, so a statement that is sent now would commit by itself. */
    @Override
    public boolean isEndedByDatabase() {
        return endedByDatabase != null;
    }

    boolean isCommitted() {
        return committed;
    }

    /* The reason why no more statements are sent. */
    @Override
    public WorkException refusal() {
        Throwable cause = endedByDatabase;
        return cause == null
                ? ended()
                : new WorkException(
                        settings.name + " was rolled back by the database, after a failure that its body has swallowed:"
                                + " let it pass, so that the unit can be run again",
                        cause);
    }

    /* Reports a failure that no subscriber receives. Rejected statements were never sent. */
    void report(String call, @Nullable Throwable e) {
        if (e != null && !(e instanceof WorkEndedException)) {
            notifyListener(listener -> listener.cleanupFailed(this, call, e));
        }
    }

    void reportUnobserved(String operation, @Nullable Throwable e) {
        report(operation + " whose subscriber had cancelled", e);
    }

    void rowsBuffered() {
        if (!rowsBuffered) {
            rowsBuffered = true;
            notifyListener(listener -> listener.rowsBuffered(this));
        }
    }

    RowBufferException tooManyRows() {
        return new RowBufferException(settings.name, settings.rowBuffer);
    }

    synchronized String nextSavepoint() {
        return "r2dbc_engine_" + ++savepoints;
    }

    synchronized <R> R repository(Class<R> type, Supplier<? extends R> create) {
        Map<Class<?>, Object> instances = repositories;
        if (instances == null) {
            instances = new HashMap<>();
            repositories = instances;
        }
        Object instance = instances.get(type);
        if (instance == null) {
            instance =
                    Objects.requireNonNull(create.get(), () -> "The factory of " + type.getName() + " returned null");
            instances.put(type, instance);
        }
        return type.cast(instance);
    }

    @Override
    void end(UnitEnd<?> end, boolean commits) {
        Connection open = connection();
        if (open == null) {
            end.completeAfter(actionsAfter(commits));
        } else if (unanswered) {
            notifyListener(listener -> listener.rolledBack(this, duration()));
            release(end, open);
        } else if (commits) {
            call("commit", end, (transaction, unit) -> transaction.open().commitTransaction(), Transaction::committed);
        } else {
            rollBack(end);
        }
    }

    private void committed(UnitEnd<?> end, @Nullable Throwable e) {
        if (e == null) {
            committed = true;
            notifyListener(listener -> listener.committed(this, duration()));
            restore(end);
        } else {
            end.commitFailed(e);
            if (isInDoubt(e)) {
                inDoubt = true;
                discard = true;
                notifyListener(listener -> listener.inDoubt(this, e));
                rollBackInDoubt(end, e);
            } else {
                rollBack(end);
            }
        }
    }

    /* An answer of the server proves that it did not commit; without one, the answer may be lost. */
    private boolean isInDoubt(Throwable e) {
        return !isAnswer(e) || dialect().kindOf(e) == ErrorKind.CONNECTION_LOST;
    }

    /* r2dbc-mysql reports some answers by their code alone. */
    private static boolean isAnswer(Throwable e) {
        return e instanceof R2dbcException answer && (answer.getSqlState() != null || answer.getErrorCode() != 0);
    }

    /* A connection that has not answered is still in use. */
    private void rollBackInDoubt(UnitEnd<?> end, Throwable e) {
        if (e instanceof WorkTimeoutException) {
            restore(end);
        } else {
            rollBack(end, (transaction, unit, failure) -> {
                unit.alsoFailed(ROLLBACK, failure);
                transaction.restore(unit);
            });
        }
    }

    private void rollBack(UnitEnd<?> end) {
        rollBack(end, Transaction::rolledBack);
    }

    private void rollBack(UnitEnd<?> end, TimedCall.Then<Transaction, UnitEnd<?>> then) {
        call(ROLLBACK, end, (transaction, unit) -> transaction.open().rollbackTransaction(), then);
    }

    private void rolledBack(UnitEnd<?> end, @Nullable Throwable e) {
        if (e != null) {
            discard = true;
        }
        end.alsoFailed(ROLLBACK, e);
        notifyListener(listener -> listener.rolledBack(this, duration()));
        restore(end);
    }

    private void restore(UnitEnd<?> end) {
        TransactionStart started = start;
        if (discard || started == null || !started.hasToRestore()) {
            release(end, open());
        } else {
            call(RESET, end, (transaction, unit) -> started.restore(), Transaction::restored);
        }
    }

    private void restored(UnitEnd<?> end, @Nullable Throwable e) {
        if (e != null) {
            discard = true;
        }
        report(RESET, e);
        release(end, open());
    }

    private void release(UnitEnd<?> end, Connection open) {
        release(end, open, discard ? Outcome.DISCARD : Outcome.KEEP, Transaction::released);
    }

    private void released(UnitEnd<?> end, @Nullable Throwable e) {
        reportRelease(e);
        if (inDoubt) {
            complete(end);
        } else {
            end.completeAfter(actionsAfter(committed));
        }
    }

    <C extends TimedCall.Caller<Transaction>> void release(
            C caller, Connection open, Outcome outcome, TimedCall.Then<Transaction, C> then) {
        if (outcome == Outcome.DISCARD) {
            notifyListener(listener -> listener.connectionDiscarded(this));
        }
        call(RELEASE, caller, (transaction, releasing) -> database.source().giveBack(open, outcome), then);
    }

    void reportRelease(@Nullable Throwable e) {
        report(RELEASE, e);
    }

    void complete(UnitEnd<?> end) {
        notifyListener(listener -> listener.ended(this, end.failure()));
        end.complete();
    }

    <C extends TimedCall.Caller<Transaction>> void call(
            String name, C caller, TimedCall.Call<Transaction, C> call, TimedCall.Then<Transaction, C> then) {
        TimedCall.run(name, settings.cleanupTimeout, caller, call, then);
    }

    /* First asks the database, then closes the connection, then gives up on the statement, a grace time apart. */
    @Override
    void endStatement(UnitEnd<?> end) {
        ConnectionAcquisition request = acquisition;
        if (request != null) {
            end.force();
            request.refuse(ended());
            Connection connection = request.connection();
            if (connection != null) {
                discard = true;
                if (end.isSealed()) {
                    return;
                }
                notifyListener(listener -> listener.statementEnded(this));
                call(
                        "request to end a statement",
                        end,
                        (transaction, unit) -> database.endStatement(connection),
                        (transaction, unit, e) -> closeLater(unit, connection, e));
            }
        }
    }

    private void closeLater(UnitEnd<?> end, Connection connection, @Nullable Throwable e) {
        Runnable close = () -> call(
                "close of the connection",
                end,
                (transaction, unit) -> StatementEnd.close(connection),
                (transaction, unit, failure) -> unit.afterGrace(unit::abandon));
        if (e == null) {
            end.afterGrace(close);
        } else {
            close.run();
        }
    }

    /* Gives up on a statement that survives the close of its connection. */
    @Override
    void abandon(UnitEnd<?> end) {
        ConnectionAcquisition request = acquisition;
        Connection connection = request == null ? null : request.connection();
        if (request == null || connection == null) {
            complete(end);
        } else {
            if (request.hasBegun()) {
                notifyListener(listener -> listener.rolledBack(this, duration()));
            }
            release(end, connection);
        }
    }

    /* Null while no statement can run. */
    private @Nullable Connection connection() {
        ConnectionAcquisition request = acquisition;
        return request == null || !request.isOpen() ? null : request.connection();
    }

    private Connection open() {
        return Objects.requireNonNull(connection());
    }

    private Duration duration() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    void notifyListener(Consumer<WorkListener> event) {
        try {
            event.accept(database.listener());
        } catch (Throwable e) {
            LOG.warn("The work listener failed", e);
        }
    }

    /* A driver may emit the same exception twice. */
    static void suppress(Throwable e, @Nullable Throwable also) {
        if (also != null) {
            Exceptions.addSuppressed(e, also);
        }
    }
}
