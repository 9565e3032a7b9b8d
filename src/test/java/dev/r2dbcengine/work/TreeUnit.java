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
 * A unit of a tree, with all that happens in it.
 *
 * @param kind what it is within another one
 * @param ways in which it differs from a plain one
 */
record TreeUnit(Propagation kind, List<Way> ways, List<TreeStep> steps) implements TreeStep {

    enum Way {
        /** Its values come before its end. */
        STREAMS,
        ALWAYS_ROLLS_BACK,
        KEEPS_WHEN_IT_FAILS,
        LIMITS_LOCKS,
        /** Its body asks for the rollback when it is through. */
        ASKS_FOR_ROLLBACK,
        /** Who is around does not care for its failure. */
        FAILURE_IS_SWALLOWED,
        /** A savepoint by the Work of the unit around. */
        BY_WORK
    }

    private boolean is(Way way) {
        return ways.contains(way);
    }

    /** As a root it fails as it does; the subscriber who leaves gets nothing. */
    Mono<Void> run(Bed bed) {
        return run(bed, null);
    }

    @Override
    public Mono<Void> run(Body around) {
        Mono<Void> run = run(around.bed(), around.work());
        return is(Way.FAILURE_IS_SWALLOWED) ? run.onErrorComplete() : run;
    }

    private Mono<Void> run(Bed bed, @Nullable Work around) {
        return Mono.defer(() -> {
            Sinks.Empty<Void> leave = Sinks.empty();
            return Flux.from(started(bed, around, leave))
                    .takeUntilOther(leave.asMono())
                    .then();
        });
    }

    private Mono<Void> started(Bed bed, @Nullable Work around, Sinks.Empty<Void> leave) {
        if (is(Way.BY_WORK) && around != null) {
            return around.savepoint(work -> body(new Body(bed, work, leave)));
        }
        UnitOfWork unit = unit(bed);
        return is(Way.STREAMS)
                ? unit.stream(work -> body(new Body(bed, work, leave)).thenMany(Flux.just(1, 2)))
                        .then()
                : unit.execute(work -> body(new Body(bed, work, leave)));
    }

    private UnitOfWork unit(Bed bed) {
        UnitOfWork unit = bed.engine().unitOfWork().propagation(kind);
        for (Way way : ways) {
            unit = switch (way) {
                case ALWAYS_ROLLS_BACK -> unit.alwaysRollback();
                case KEEPS_WHEN_IT_FAILS -> unit.rollbackOn(failure -> false);
                case LIMITS_LOCKS -> unit.lockWaitTimeout(Duration.ofSeconds(7));
                default -> unit;
            };
        }
        return unit;
    }

    private Mono<Void> body(Body body) {
        return Flux.fromIterable(steps).concatMap(step -> step.run(body)).then(Mono.fromRunnable(() -> {
            if (is(Way.ASKS_FOR_ROLLBACK)) {
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
    public void expect(TreeModel model, TreeModel.Scope around) throws Failed {
        try {
            expect(model, around, is(Way.BY_WORK));
        } catch (Failed e) {
            if (e.failure != Failure.CANCELLED && !is(Way.FAILURE_IS_SWALLOWED)) {
                throw e;
            }
        }
    }

    private void expect(TreeModel model, TreeModel.@Nullable Scope around, boolean plain) throws Failed {
        if (around == null || kind == Propagation.REQUIRES_NEW) {
            if (kind == Propagation.MANDATORY) {
                throw new Failed(Failure.NO_OUTER_UNIT);
            }
            expectOwn(model, model.new Scope(null), plain);
        } else if (kind == Propagation.NESTED) {
            expectOwn(model, model.new Scope(around), plain);
        } else {
            expectJoined(model, around);
        }
    }

    private void expectOwn(TreeModel model, TreeModel.Scope level, boolean plain) throws Failed {
        boolean keeps = plain || !is(Way.ALWAYS_ROLLS_BACK);
        Failure failure = null;
        try {
            expectBody(model, level, true);
        } catch (Failed e) {
            failure = e.failure;
            keeps &= failure != Failure.CANCELLED && is(Way.KEEPS_WHEN_IT_FAILS) && !plain;
        }
        if (failure == null || keeps) {
            try {
                level.complete();
            } catch (Failed e) {
                failure = e.failure;
                keeps = false;
            }
        }
        Failure told = level.end(failure, keeps);
        if (told != null) {
            throw new Failed(failure == Failure.CANCELLED ? failure : told);
        }
    }

    private void expectJoined(TreeModel model, TreeModel.Scope level) throws Failed {
        try {
            expectBody(model, level, false);
        } catch (Failed e) {
            if (e.failure == Failure.CANCELLED || is(Way.ALWAYS_ROLLS_BACK) || !is(Way.KEEPS_WHEN_IT_FAILS)) {
                level.demandRollback(false);
            }
            throw e;
        }
        if (is(Way.ALWAYS_ROLLS_BACK)) {
            level.demandRollback(false);
        }
    }

    private void expectBody(TreeModel model, TreeModel.Scope level, boolean own) throws Failed {
        for (TreeStep step : steps) {
            step.expect(model, level);
        }
        if (is(Way.ASKS_FOR_ROLLBACK)) {
            level.demandRollback(own);
        }
    }
}
