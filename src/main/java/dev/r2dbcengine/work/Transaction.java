package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.sql.Outcome;
import dev.r2dbcengine.sql.StatementEnd;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * The outermost level of a unit: one connection, borrowed and begun when the first statement has its turn, ended when the
 * unit's end has its own. After the end the connection is given back, then the actions for that run, then the unit
 * delivers. A call is never cancelled in flight; after one that is not answered in time the connection is discarded.
 */
final class Transaction extends TransactionScope implements WorkExecution {

    private static final Logger LOG = Loggers.getLogger(UnitOfWork.class);

    private static final String ROLLBACK = "rollback";
    private static final String RESET = "reset of the session";
    private static final String RETURN = "return of the connection";

    private final ContextualConnectionSource database;
    private final WorkSettings settings;
    private final Object identity;
    private final int attempt;

    private volatile @Nullable ConnectionAcquisition borrowing;
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

    Transaction(ContextualConnectionSource database, WorkSettings settings, Context context, int attempt) {
        super(context);
        this.database = database;
        this.settings = settings;
        this.identity = database.source().identity(context);
        this.attempt = attempt;
    }

    @Override
    Transaction transaction() {
        return this;
    }

    @Override
    void entered() {
        tell(listener -> context(Objects.requireNonNull(listener.entering(this), "The Context of a unit")));
    }

    @Override
    @Nullable TransactionScope outer() {
        return null;
    }

    @Override
    public ContextualConnectionSource database() {
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
            borrowing = request;
            discard = false;
            unanswered = false;
            request.begin();
        }
    }

    @Override
    void stopWaiting(Waiter waiter) {
        ConnectionAcquisition request = borrowing;
        if (request != null && request.isFor(waiter)) {
            request.leave();
        }
    }

    void borrowed(ConnectionAcquisition request, Connection arrived) {
        if (settings.isPlain()) {
            TimedCall.run(request, (unit, on) -> on.arrived().beginTransaction(), Transaction::begun);
        } else {
            TransactionStart starting = new TransactionStart(arrived, settings);
            start = starting;
            TimedCall.run(request, (unit, on) -> database.dialect().flatMapMany(starting::begin), Transaction::begun);
        }
    }

    private void begun(ConnectionAcquisition request, @Nullable Throwable e) {
        if (e != null) {
            failedToBegin(request, Outcome.DISCARD, e);
            return;
        }
        began = System.nanoTime();
        request.begun();
        tell(listener -> listener.began(this));
        if (settings.onBegin == null) {
            opened(request);
        } else {
            setUp(request, settings.onBegin);
        }
    }

    /* Without its set-up nothing may run: the transaction is ended, and the next statement begins another. */
    private void setUp(ConnectionAcquisition request, Function<? super Work, ? extends Publisher<?>> onBegin) {
        TimedCall.run(
                request, (unit, on) -> new TransactionSetUp(unit, on.arrived()).run(onBegin), Transaction::setUpEnded);
    }

    private void setUpEnded(ConnectionAcquisition request, @Nullable Throwable failure) {
        Throwable e = failure == null && isEndedByDatabase() ? refusal() : failure;
        if (e == null) {
            opened(request);
        } else if (unanswered) {
            notSetUp(request, e);
        } else {
            call(ROLLBACK, request, (unit, on) -> on.arrived().rollbackTransaction(), (unit, on, also) -> {
                suppress(e, also);
                discard |= also != null;
                notSetUp(on, e);
            });
        }
    }

    private void notSetUp(ConnectionAcquisition request, Throwable e) {
        tell(listener -> listener.rolledBack(this, duration()));
        boolean clean = !discard && (start == null || !start.hasToRestore());
        failedToBegin(request, clean ? Outcome.KEEP : Outcome.DISCARD, e);
    }

    private void opened(ConnectionAcquisition request) {
        request.opened();
        request.waiter().run(request.arrived());
    }

    /* Nobody knows what the server has seen of a begin that failed. */
    private void failedToBegin(ConnectionAcquisition request, Outcome outcome, Throwable e) {
        borrowing = null;
        endedByDatabase = null;
        aborted = null;
        giveBack(request, request.arrived(), outcome, (unit, on, failure) -> {
            notReturned(failure);
            on.waiter().fail(e);
        });
    }

    void failed(Throwable e) {
        Dialect dialect = dialect();
        if (Outcome.after(e, dialect) == Outcome.DISCARD) {
            discard = true;
        }
        ConnectionAcquisition request = borrowing;
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
     * PostgreSQL refuses a cached plan after a change of the schema. Its driver then repeats the statement with a new plan,
     * which in a transaction is too late: the answer says that the transaction is aborted, although no statement has failed.
     */
    private boolean isOutdatedPlan(Throwable e) {
        return aborted == null && dialect().kindOf(e) == ErrorKind.TRANSACTION_ABORTED;
    }

    /* Another run of the unit uses the new plan. */
    boolean metOutdatedPlan() {
        return outdatedPlan;
    }

    @Override
    boolean restarts(Waiter first, Throwable e) {
        ConnectionAcquisition request = borrowing;
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
                    (unit, on) -> on.arrived().rollbackTransaction(),
                    (unit, on, failure) -> unit.beginAgain(on, e, failure));
        }
        return restarts;
    }

    private void beginAgain(ConnectionAcquisition request, Throwable e, @Nullable Throwable failure) {
        if (failure == null) {
            tell(listener -> listener.rolledBack(this, duration()));
            request.rolledBack();
            borrowed(request, request.arrived());
        } else {
            suppress(e, failure);
            lost(failure);
            request.waiter().fail(e);
        }
    }

    private static boolean endsTransaction(ErrorKind kind, Dialect dialect) {
        return switch (kind) {
            case CONNECTION_LOST, TRANSACTION_LOST -> true;
            case DEADLOCK, SERIALIZATION_FAILURE -> dialect.has(Feature.CONFLICTS_END_TRANSACTIONS);
            default -> false;
        };
    }

    /* A later statement would commit by itself: on this session, or on another that the driver has opened in silence. */
    private void endedByDatabase(ConnectionAcquisition request, ErrorKind kind, Throwable e) {
        endedByDatabase = e;
        discard |= kind == ErrorKind.TRANSACTION_LOST;
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

    /* PostgreSQL's driver would tell that it went well, and have sent nothing. */
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

    /* A call that is not a statement's failed, and with it what is known of the connection. */
    void lost(Throwable e) {
        failed(e);
        discard = true;
        if (e instanceof WorkTimeoutException) {
            stillInUse();
        }
    }

    /* Nothing more is sent on the connection: a call on it was not answered, or its session is gone. */
    void stillInUse() {
        discard = true;
        unanswered = true;
    }

    /* The database has rolled back by itself, and what is sent now would commit by itself. */
    boolean isEndedByDatabase() {
        return endedByDatabase != null;
    }

    boolean isCommitted() {
        return committed;
    }

    /* Why nothing more is sent. */
    WorkException refusal() {
        Throwable cause = endedByDatabase;
        return cause == null
                ? ended()
                : new WorkException(
                        settings.name + " was rolled back by the database, after a failure that its body has swallowed:"
                                + " let it pass, so that the unit can be run again",
                        cause);
    }

    /* What was refused was never sent: whoever has left misses nothing. */
    void unseen(String call, @Nullable Throwable e) {
        if (e != null && !(e instanceof WorkEndedException)) {
            tell(listener -> listener.cleanupFailed(this, call, e));
        }
    }

    void unseenByWhoLeft(String what, @Nullable Throwable e) {
        unseen(what + " whose subscriber had left", e);
    }

    void buffered() {
        if (!rowsBuffered) {
            rowsBuffered = true;
            tell(listener -> listener.rowsBuffered(this));
        }
    }

    RowBufferException tooManyRows() {
        return new RowBufferException(settings.name, settings.rowBuffer);
    }

    synchronized String nextSavepoint() {
        return "r2dbc_engine_" + ++savepoints;
    }

    synchronized <R> R repository(Class<R> type, Function<? super Work, ? extends R> create) {
        Map<Class<?>, Object> instances = repositories;
        if (instances == null) {
            instances = new HashMap<>();
            repositories = instances;
        }
        Object there = instances.get(type);
        if (there == null) {
            there = Objects.requireNonNull(
                    create.apply(new DefaultWork(this, false)),
                    () -> "The factory of " + type.getName() + " returned null");
            instances.put(type, there);
        }
        return type.cast(there);
    }

    @Override
    void end(UnitExecution<?> run) {
        if (!run.claimEnd()) {
            return;
        }
        Connection open = connection();
        boolean commits = run.seal();
        if (open == null) {
            afterwards(run, commits);
        } else if (unanswered) {
            tell(listener -> listener.rolledBack(this, duration()));
            giveBack(run, open);
        } else if (commits) {
            call("commit", run, (unit, ending) -> unit.open().commitTransaction(), Transaction::committed);
        } else {
            rollBack(run);
        }
    }

    private void committed(UnitExecution<?> run, @Nullable Throwable e) {
        if (e == null) {
            committed = true;
            tell(listener -> listener.committed(this, duration()));
            putBack(run);
        } else {
            run.commitFailed(e);
            if (isInDoubt(e)) {
                inDoubt = true;
                discard = true;
                tell(listener -> listener.inDoubt(this, e));
                rollBackInDoubt(run, e);
            } else {
                rollBack(run);
            }
        }
    }

    /* An answer of the server to a COMMIT that it did not do; anything else may mean that its answer was lost. */
    private boolean isInDoubt(Throwable e) {
        return !isAnswer(e) || dialect().kindOf(e) == ErrorKind.CONNECTION_LOST;
    }

    /* r2dbc-mysql reports some answers by their code alone. */
    private static boolean isAnswer(Throwable e) {
        return e instanceof R2dbcException answer && (answer.getSqlState() != null || answer.getErrorCode() != 0);
    }

    /* A connection that did not answer is still in use. */
    private void rollBackInDoubt(UnitExecution<?> run, Throwable e) {
        if (e instanceof WorkTimeoutException) {
            putBack(run);
        } else {
            rollBack(run, (unit, ending, failure) -> {
                ending.alsoFailed(ROLLBACK, failure);
                unit.putBack(ending);
            });
        }
    }

    private void rollBack(UnitExecution<?> run) {
        rollBack(run, Transaction::rolledBack);
    }

    private void rollBack(UnitExecution<?> run, TimedCall.Then<UnitExecution<?>> then) {
        call(ROLLBACK, run, (unit, ending) -> unit.open().rollbackTransaction(), then);
    }

    private void rolledBack(UnitExecution<?> run, @Nullable Throwable e) {
        discard |= e != null;
        run.alsoFailed(ROLLBACK, e);
        tell(listener -> listener.rolledBack(this, duration()));
        putBack(run);
    }

    private void putBack(UnitExecution<?> run) {
        TransactionStart started = start;
        if (discard || started == null || !started.hasToRestore()) {
            giveBack(run, open());
        } else {
            call(RESET, run, (unit, ending) -> started.restore(), Transaction::restored);
        }
    }

    private void restored(UnitExecution<?> run, @Nullable Throwable e) {
        discard |= e != null;
        unseen(RESET, e);
        giveBack(run, open());
    }

    private void giveBack(UnitExecution<?> run, Connection open) {
        giveBack(run, open, discard ? Outcome.DISCARD : Outcome.KEEP, Transaction::givenBack);
    }

    private void givenBack(UnitExecution<?> run, @Nullable Throwable e) {
        notReturned(e);
        if (inDoubt) {
            over(run);
        } else {
            afterwards(run, committed);
        }
    }

    <C extends TimedCall.Caller> void giveBack(C caller, Connection open, Outcome outcome, TimedCall.Then<C> then) {
        if (outcome == Outcome.DISCARD) {
            tell(listener -> listener.connectionDiscarded(this));
        }
        call(RETURN, caller, (unit, on) -> database.source().giveBack(open, outcome), then);
    }

    void notReturned(@Nullable Throwable e) {
        unseen(RETURN, e);
    }

    private void afterwards(UnitExecution<?> run, boolean committed) {
        List<Mono<Void>> actions = actionsAfter(committed);
        if (actions.isEmpty()) {
            over(run);
        } else {
            new AfterCompletion(this, run, actions).next();
        }
    }

    void over(UnitExecution<?> run) {
        tell(listener -> listener.ended(this, run.failure()));
        run.over();
    }

    <C extends TimedCall.Caller> void call(String what, C caller, TimedCall.Call<C> call, TimedCall.Then<C> then) {
        TimedCall.run(what, settings.cleanupTimeout, caller, call, then);
    }

    /* The unit's end waits for a statement, and the grace time is over. */
    @Override
    void endStatement(UnitExecution<?> run) {
        ConnectionAcquisition request = borrowing;
        if (request != null) {
            run.force();
            request.refuse(ended());
            Connection arrived = request.connection();
            if (arrived != null) {
                discard = true;
                if (run.isEnding()) {
                    return;
                }
                tell(listener -> listener.statementEnded(this));
                call(
                        "request to end a statement",
                        run,
                        (unit, waiting) -> database.endStatement(arrived),
                        (unit, waiting, e) -> closeLater(waiting, arrived, e));
            }
        }
    }

    private void closeLater(UnitExecution<?> run, Connection arrived, @Nullable Throwable e) {
        Runnable close = () -> call(
                "close of the connection",
                run,
                (unit, waiting) -> StatementEnd.close(arrived),
                (unit, waiting, failure) -> waiting.afterGrace(waiting::abandon));
        if (e == null) {
            run.afterGrace(close);
        } else {
            close.run();
        }
    }

    /* What does not even end when its connection is closed is waited for no more. */
    @Override
    void abandon(UnitExecution<?> run) {
        ConnectionAcquisition request = borrowing;
        Connection arrived = request == null ? null : request.connection();
        if (request == null || arrived == null) {
            over(run);
        } else {
            if (request.hasBegun()) {
                tell(listener -> listener.rolledBack(this, duration()));
            }
            giveBack(run, arrived);
        }
    }

    /* Null while statements cannot run on it. */
    private @Nullable Connection connection() {
        ConnectionAcquisition request = borrowing;
        return request == null || !request.isOpen() ? null : request.connection();
    }

    private Connection open() {
        return Objects.requireNonNull(connection());
    }

    private Duration duration() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    void tell(Consumer<WorkListener> event) {
        try {
            event.accept(database.units());
        } catch (Throwable e) {
            LOG.warn("The work listener failed", e);
        }
    }

    /* A driver may tell one and the same exception twice. */
    static void suppress(Throwable e, @Nullable Throwable also) {
        if (also != null) {
            Exceptions.addSuppressed(e, also);
        }
    }
}
