package dev.r2dbcengine.work;

import dev.r2dbcengine.sql.UserCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What is to happen around the end of a level. Thread safe: repositories of one unit may run side by side. */
final class Hooks {

    private final List<Mono<Void>> beforeCommit = new ArrayList<>();
    private final List<Mono<Void>> afterCommit = new ArrayList<>();
    private final List<Mono<Void>> afterRollback = new ArrayList<>();

    private boolean closed;

    /* False: the level has ended, and the action would never run. */
    boolean beforeCommit(Mono<Void> action) {
        return add(action, beforeCommit);
    }

    boolean afterCommit(Mono<Void> action) {
        return add(action, afterCommit);
    }

    boolean afterRollback(Mono<Void> action) {
        return add(action, afterRollback);
    }

    private synchronized boolean add(Mono<Void> action, List<Mono<Void>> actions) {
        return !closed && actions.add(action);
    }

    /* One after the other; null without any. What they add themselves is there when this is called again. */
    synchronized @Nullable Mono<Void> takeBeforeCommit() {
        List<Mono<Void>> actions = List.copyOf(beforeCommit);
        beforeCommit.clear();
        return actions.isEmpty()
                ? null
                : Flux.fromIterable(actions)
                        .concatMap(action -> UserCode.publisher("An action before the commit", () -> action))
                        .then();
    }

    /* Once, at the end. */
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
