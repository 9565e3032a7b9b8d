package dev.r2dbcengine.work;

import dev.r2dbcengine.work.TreeModel.Failed;
import dev.r2dbcengine.work.TreeModel.Failure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A unit of a tree, with its steps.
 *
 * @param kind its propagation
 * @param traits its differences from a plain unit
 */
record TreeUnit(Propagation kind, List<Trait> traits, List<TreeStep> steps) implements TreeStep {

    enum Trait {
        /** It is a stream. */
        STREAMS,
        ALWAYS_ROLLS_BACK,
        COMMITS_ON_FAILURE,
        SETS_LOCK_TIMEOUT,
        /** Its body calls {@code setRollbackOnly} at the end. */
        SETS_ROLLBACK_ONLY,
        /** The outer body ignores its failure. */
        FAILURE_IS_SWALLOWED,
        /** It is a savepoint of the outer {@link Work}. */
        BY_SAVEPOINT_OF_WORK
    }

    private boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Runs the unit as a root, and passes its failure on; a cancelled unit completes empty. */
    Mono<Void> run(Environment environment) {
        return run(environment, null);
    }

    @Override
    public Mono<Void> run(Body outer) {
        Mono<Void> run = run(outer.environment(), outer.work());
        return is(Trait.FAILURE_IS_SWALLOWED) ? run.onErrorComplete() : run;
    }

    private Mono<Void> run(Environment environment, @Nullable Work outer) {
        return Mono.defer(() -> {
            Sinks.Empty<Void> cancel = Sinks.empty();
            return Flux.from(started(environment, outer, cancel))
                    .takeUntilOther(cancel.asMono())
                    .then();
        });
    }

    private Mono<Void> started(Environment environment, @Nullable Work outer, Sinks.Empty<Void> cancel) {
        if (is(Trait.BY_SAVEPOINT_OF_WORK) && outer != null) {
            return outer.savepoint(work -> body(new Body(environment, work, cancel)));
        }
        UnitOfWork unit = unit(environment);
        return is(Trait.STREAMS)
                ? unit.stream(work -> body(new Body(environment, work, cancel)).thenMany(Flux.just(1, 2)))
                        .then()
                : unit.execute(work -> body(new Body(environment, work, cancel)));
    }

    private UnitOfWork unit(Environment environment) {
        UnitOfWork unit = environment.engine().unitOfWork().propagation(kind);
        for (Trait trait : traits) {
            unit = switch (trait) {
                case ALWAYS_ROLLS_BACK -> unit.alwaysRollback();
                case COMMITS_ON_FAILURE -> unit.rollbackOn(failure -> false);
                case SETS_LOCK_TIMEOUT -> unit.lockWaitTimeout(Duration.ofSeconds(7));
                default -> unit;
            };
        }
        return unit;
    }

    private Mono<Void> body(Body body) {
        return Flux.fromIterable(steps).concatMap(step -> step.run(body)).then(Mono.fromRunnable(() -> {
            if (is(Trait.SETS_ROLLBACK_ONLY)) {
                body.work().setRollbackOnly();
            }
        }));
    }

    @Nullable Failure expect(TreeModel model) {
        try {
            expect(model, null, false);
            return null;
        } catch (Failed e) {
            return e.failure;
        }
    }

    @Override
    public void expect(TreeModel model, TreeModel.Scope outer) throws Failed {
        try {
            expect(model, outer, is(Trait.BY_SAVEPOINT_OF_WORK));
        } catch (Failed e) {
            if (e.failure != Failure.CANCELLED && !is(Trait.FAILURE_IS_SWALLOWED)) {
                throw e;
            }
        }
    }

    private void expect(TreeModel model, TreeModel.@Nullable Scope outer, boolean plain) throws Failed {
        if (outer == null || kind == Propagation.REQUIRES_NEW) {
            if (kind == Propagation.MANDATORY) {
                throw new Failed(Failure.NO_OUTER_UNIT);
            }
            expectOwn(model, model.new Scope(null), plain);
        } else if (kind == Propagation.NESTED) {
            expectOwn(model, model.new Scope(outer), plain);
        } else {
            expectJoined(model, outer);
        }
    }

    private void expectOwn(TreeModel model, TreeModel.Scope scope, boolean plain) throws Failed {
        boolean keeps = plain || !is(Trait.ALWAYS_ROLLS_BACK);
        Failure failure = null;
        try {
            expectBody(model, scope, true);
        } catch (Failed e) {
            failure = e.failure;
            keeps &= failure != Failure.CANCELLED && is(Trait.COMMITS_ON_FAILURE) && !plain;
        }
        if (failure == null || keeps) {
            try {
                scope.complete();
            } catch (Failed e) {
                failure = e.failure;
                keeps = false;
            }
        }
        Failure result = scope.end(failure, keeps);
        if (result != null) {
            throw new Failed(failure == Failure.CANCELLED ? failure : result);
        }
    }

    private void expectJoined(TreeModel model, TreeModel.Scope scope) throws Failed {
        try {
            expectBody(model, scope, false);
        } catch (Failed e) {
            if (e.failure == Failure.CANCELLED || is(Trait.ALWAYS_ROLLS_BACK) || !is(Trait.COMMITS_ON_FAILURE)) {
                scope.markRollback(false);
            }
            throw e;
        }
        if (is(Trait.ALWAYS_ROLLS_BACK)) {
            scope.markRollback(false);
        }
    }

    private void expectBody(TreeModel model, TreeModel.Scope scope, boolean own) throws Failed {
        for (TreeStep step : steps) {
            step.expect(model, scope);
        }
        if (is(Trait.SETS_ROLLBACK_ONLY)) {
            scope.markRollback(own);
        }
    }
}
