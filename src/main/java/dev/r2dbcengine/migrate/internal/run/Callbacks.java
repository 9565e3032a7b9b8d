package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.CallbackEvent;
import dev.r2dbcengine.migrate.MigrationCallback;
import dev.r2dbcengine.migrate.MigrationException;
import dev.r2dbcengine.migrate.internal.history.SessionState;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import dev.r2dbcengine.sql.UserCode;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The callbacks of a run: scripts and code, in the order of their names. */
public final class Callbacks {

    public static final Set<CallbackEvent> VALIDATION = EnumSet.of(
            CallbackEvent.AFTER_CONNECT,
            CallbackEvent.BEFORE_VALIDATE,
            CallbackEvent.AFTER_VALIDATE,
            CallbackEvent.AFTER_VALIDATE_ERROR);

    private record Callback(CallbackEvent event, String name, String place, MigrationBody body) {}

    private final MigrationSettings settings;
    private final RunConnection run;
    private final MigrationSnapshot look;
    private final RunProgress done;
    private final Mono<Void> session;
    private volatile @Nullable CallbackPhase open;

    /** @param done the progress, for the messages of failures */
    Callbacks(MigrationSettings settings, RunConnection run, MigrationSnapshot look, RunProgress done) {
        this(settings, run, look, done, look.session().restore(run.engine()));
    }

    private Callbacks(
            MigrationSettings settings,
            RunConnection run,
            MigrationSnapshot look,
            RunProgress done,
            Mono<Void> session) {
        this.settings = settings;
        this.run = run.uncancelled();
        this.look = look;
        this.done = done;
        this.session = session;
    }

    /** Returns callbacks for a run whose default schema may not exist: each callback checks for it, as with Flyway. */
    public static Callbacks ofUnprepared(
            MigrationSettings settings, RunConnection run, MigrationSnapshot look, SessionState session) {
        Mono<Void> useSchema = look.preparation(run.engine(), settings).useSchemaIfThere();
        return new Callbacks(
                settings,
                run,
                look,
                RunProgress.applied(),
                session.restore(run.engine()).then(useSchema));
    }

    /**
     * Runs {@code afterConnect}. The session that it leaves is the one to which the run resets.
     *
     * @return the snapshot, with that session
     */
    public static Mono<MigrationSnapshot> connected(
            MigrationSettings settings, RunConnection run, MigrationSnapshot look) {
        if (!any(settings, look, EnumSet.of(CallbackEvent.AFTER_CONNECT))) {
            return Mono.just(look);
        }
        Mono<SessionState> session = SessionState.of(run.engine(), look.table());
        return session.flatMap(opened -> new Callbacks(
                                settings, run, look, RunProgress.applied(), opened.restore(run.engine()))
                        .on(CallbackEvent.AFTER_CONNECT))
                .then(session)
                .map(look::with);
    }

    public static boolean any(MigrationSettings settings, MigrationSnapshot look, Collection<CallbackEvent> events) {
        return look.found().callbacks().stream().anyMatch(script -> events.contains(script.event()))
                || settings.callbacks.stream()
                        .anyMatch(code -> events.stream().anyMatch(event -> supports(code, event)));
    }

    boolean isEmpty() {
        return look.found().callbacks().isEmpty() && settings.callbacks.isEmpty();
    }

    /** Runs the callbacks before a phase. A later failure counts as one of the phase. */
    Mono<Void> begin(CallbackPhase phase) {
        return on(phase.before()).doOnSuccess(begun -> open = phase);
    }

    /** Runs callbacks and ends the phase: a later failure does not count as one of it. */
    Mono<Void> end(CallbackEvent... after) {
        return Flux.fromArray(after)
                .doOnSubscribe(start -> open = null)
                .concatMap(this::on)
                .then();
    }

    public <T> Mono<T> around(CallbackPhase phase, Mono<T> body) {
        return around(phase, phase.after(), body);
    }

    public <T> Mono<T> around(CallbackPhase phase, CallbackEvent after, Mono<T> body) {
        return begin(phase)
                .then(body)
                .singleOptional()
                .flatMap(given -> end(after).then(Mono.justOrEmpty(given)));
    }

    /** Runs the error callbacks, after the rollback. If one fails, its error is added to the first one. */
    Mono<Throwable> failed(Throwable failure) {
        CallbackPhase phase = open;
        return phase == null ? Mono.just(failure) : failed(phase, failure);
    }

    /** Runs the error callbacks of a phase, unless the connection is lost. */
    Mono<Throwable> failed(CallbackPhase phase, Throwable failure) {
        return run.isLost(failure)
                ? Mono.just(failure)
                : on(phase.error())
                        .doOnError(also -> Exceptions.addSuppressed(failure, also))
                        .onErrorComplete()
                        .thenReturn(failure);
    }

    /** Runs the callbacks that precede the check for missing schemas. */
    Mono<Void> creation() {
        return settings.createSchemas
                ? on(CallbackEvent.CREATE_SCHEMA).then(on(CallbackEvent.BEFORE_CREATE_SCHEMA))
                : Mono.empty();
    }

    /** Returns a function that surrounds each statement of a script with its callbacks. */
    UnaryOperator<Mono<Long>> withStatements(CallbackPhase each, FoundMigration migration, Engine engine) {
        return any(settings, look, EnumSet.of(each.before(), each.after()))
                ? statement -> within(each.before(), migration, engine)
                        .then(statement)
                        .then(within(each.after(), migration, engine))
                        .then(Mono.empty())
                : UnaryOperator.identity();
    }

    /** Runs each callback in its own transaction, unless its settings disable it. */
    Mono<Void> on(CallbackEvent event) {
        return each(event, null, this::alone);
    }

    /** Runs the callbacks in the transaction and session of the migration. */
    Mono<Void> within(CallbackEvent event, FoundMigration migration, Engine engine) {
        return each(
                event,
                migration,
                callback -> callback.body()
                        .run(engine)
                        .onErrorMap(e -> new CallbackFailure(
                                place(callback) + " failed, and with it ", statement(callback), e)));
    }

    private interface Call {
        Mono<Void> of(Callback callback);
    }

    private Mono<Void> each(CallbackEvent event, @Nullable FoundMigration migration, Call call) {
        return isEmpty()
                ? Mono.empty()
                : Flux.defer(() -> Flux.fromStream(all(event, migration)))
                        .concatMap(call::of)
                        .then();
    }

    private Stream<Callback> all(CallbackEvent event, @Nullable FoundMigration migration) {
        Stream<Callback> scripts = look.found().callbacks().stream()
                .filter(found -> found.event() == event && found.script().executes())
                .map(found -> new Callback(
                        event,
                        found.description(),
                        found.script().toString(),
                        MigrationBody.Text.of(found.script(), settings, run, look)));
        Stream<Callback> code = settings.callbacks.stream()
                .filter(callback -> supports(callback, event))
                .map(callback -> new Callback(
                        event,
                        name(callback),
                        name(callback),
                        new MigrationBody.Code(
                                engine -> callback.on(event, migration, engine),
                                UserCode.call("inTransaction(…)", () -> callback.inTransaction(event)))));
        return Stream.concat(scripts, code).sorted(Comparator.comparing(Callback::name));
    }

    private static boolean supports(MigrationCallback callback, CallbackEvent event) {
        return UserCode.call("supports(…)", () -> callback.supports(event));
    }

    private static String name(MigrationCallback callback) {
        return UserCode.call("name() of " + callback.getClass().getName(), callback::name);
    }

    private Mono<Void> alone(Callback callback) {
        MigrationBody body = callback.body();
        return session.then(body.inTransaction().subscribeOn(Schedulers.boundedElastic()))
                .flatMap(inside -> inside
                        ? run.unit(callback.event().id()).execute(work -> body.run(Engine.on(work)))
                        : body.run(run.engine()))
                .onErrorMap(e -> !run.isLost(e), e -> failure(callback, e));
    }

    private MigrationException failure(Callback callback, Throwable e) {
        ScriptStatement at = statement(callback);
        String message = place(callback) + " failed. " + done.staying() + " Correct it, and run again";
        return new MigrationException(
                message, done.all(), null, at == null ? 0 : at.line(), at == null ? null : at.text(), e);
    }

    private static String place(Callback callback) {
        ScriptStatement at = statement(callback);
        return callback.place() + (at == null ? "" : ", line " + at.line()) + ": the callback "
                + callback.event().id();
    }

    private static @Nullable ScriptStatement statement(Callback callback) {
        return callback.body().current();
    }
}
