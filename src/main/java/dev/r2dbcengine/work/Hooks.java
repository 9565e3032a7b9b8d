package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.UserCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The actions before and after the end of a scope. Thread-safe: repositories of one unit may run concurrently. */
final class Hooks {

    private final List<Mono<Void>> beforeCommit = new ArrayList<>();
    private final List<Mono<Void>> afterCommit = new ArrayList<>();
    private final List<Mono<Void>> afterRollback = new ArrayList<>();

    /* In place of the hooks of a scope whose body ended without any: it accepts none. */
    static final Hooks ENDED = new Hooks(true, true);

    private boolean bodyEnded;
    private boolean closed;

    private Hooks(boolean bodyEnded, boolean closed) {
        this.bodyEnded = bodyEnded;
        this.closed = closed;
    }

    Hooks() {
        this(false, false);
    }

    /* Of a scope whose body has ended: accepts what its savepoints still move to it. */
    static Hooks afterBody() {
        return new Hooks(true, false);
    }

    /* Each of the three returns false if the action would never run, because the scope is ending. */
    synchronized boolean beforeCommit(Mono<Void> action) {
        return !bodyEnded && add(action, beforeCommit);
    }

    synchronized boolean afterCommit(Mono<Void> action) {
        return add(action, afterCommit);
    }

    synchronized boolean afterRollback(Mono<Void> action) {
        return add(action, afterRollback);
    }

    private boolean add(Mono<Void> action, List<Mono<Void>> actions) {
        return !closed && actions.add(action);
    }

    /*
     * Returns the actions added since the last call, to run one after the other. Null if there are none: from then on
     * beforeCommit accepts no more, so that no action is accepted and then forgotten.
     */
    synchronized @Nullable Mono<Void> takeBeforeCommit() {
        List<Mono<Void>> actions = List.copyOf(beforeCommit);
        beforeCommit.clear();
        bodyEnded = actions.isEmpty();
        return bodyEnded
                ? null
                : Flux.fromIterable(actions)
                        .concatMap(action -> UserCode.publisher("An action before the commit", () -> action))
                        .then();
    }

    /* To be called once, at the end. */
    synchronized List<Mono<Void>> take(boolean committed) {
        closed = true;
        return List.copyOf(committed ? afterCommit : afterRollback);
    }

    synchronized void moveTo(Hooks outer) {
        closed = true;
        beforeCommit.forEach(outer::beforeCommit);
        afterCommit.forEach(outer::afterCommit);
        afterRollback.forEach(outer::afterRollback);
    }
}
