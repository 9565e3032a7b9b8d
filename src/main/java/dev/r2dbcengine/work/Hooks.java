package dev.r2dbcengine.work;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What is to happen around the end of a level. Thread safe: repositories of one unit may run side by side. */
final class Hooks {

    private List<Mono<Void>> beforeCommit = List.of();
    private List<Mono<Void>> afterCommit = List.of();
    private List<Mono<Void>> afterRollback = List.of();

    synchronized void beforeCommit(Mono<Void> action) {
        beforeCommit = with(beforeCommit, action);
    }

    synchronized void afterCommit(Mono<Void> action) {
        afterCommit = with(afterCommit, action);
    }

    synchronized void afterRollback(Mono<Void> action) {
        afterRollback = with(afterRollback, action);
    }

    /* One after the other; null without any. What they add themselves is there when this is called again. */
    synchronized @Nullable Mono<Void> takeBeforeCommit() {
        List<Mono<Void>> actions = beforeCommit;
        beforeCommit = List.of();
        return actions.isEmpty() ? null : Flux.concat(actions).then();
    }

    synchronized List<Mono<Void>> after(boolean committed) {
        return committed ? afterCommit : afterRollback;
    }

    synchronized void addAll(Hooks inner) {
        inner.beforeCommit.forEach(this::beforeCommit);
        inner.afterCommit.forEach(this::afterCommit);
        inner.afterRollback.forEach(this::afterRollback);
    }

    private static List<Mono<Void>> with(List<Mono<Void>> actions, Mono<Void> action) {
        List<Mono<Void>> longer = new ArrayList<>(actions);
        longer.add(action);
        return longer;
    }
}
