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

    synchronized void beforeCommit(Mono<Void> action) {
        beforeCommit.add(action);
    }

    synchronized void afterCommit(Mono<Void> action) {
        afterCommit.add(action);
    }

    synchronized void afterRollback(Mono<Void> action) {
        afterRollback.add(action);
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

    synchronized List<Mono<Void>> after(boolean committed) {
        return List.copyOf(committed ? afterCommit : afterRollback);
    }

    synchronized void moveTo(Hooks outer) {
        beforeCommit.forEach(outer::beforeCommit);
        afterCommit.forEach(outer::afterCommit);
        afterRollback.forEach(outer::afterRollback);
    }
}
