package dev.r2dbcengine.work;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.work.TreeModel.Failed;
import dev.r2dbcengine.work.TreeModel.Failure;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** One step of the body of a unit, and its effect on the model. */
interface TreeStep {

    /** Runs the step. */
    Mono<Void> run(Body body);

    /** Applies the step to the model. */
    void expect(TreeModel model, TreeModel.Scope scope) throws Failed;

    /** The engine that a tree runs on, and the hooks that have run. */
    record Environment(Engine engine, Queue<String> hooks) {
        Environment(Engine engine) {
            this(engine, new ConcurrentLinkedQueue<>());
        }
    }

    /**
     * A running body.
     *
     * @param cancel cancels the unit's subscription
     */
    record Body(Environment environment, Work work, Sinks.Empty<Void> cancel) {
        Mono<Void> insert(String row, boolean byWork) {
            return sql("insert into item (name) values ('" + row + "')", byWork);
        }

        Mono<Void> sql(String sql, boolean byWork) {
            return (byWork ? work.sql(sql) : environment.engine.sql(sql))
                    .update()
                    .then();
        }
    }

    static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OnPurpose() {
            super("on purpose", null, false, false);
        }
    }

    /**
     * Inserts one row.
     *
     * @param byWork whether through the {@link Work}; otherwise the engine finds the unit in the Context
     */
    record Insert(String row, boolean byWork) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return body.insert(row, byWork);
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            scope.insert(row);
        }
    }

    /** Concurrent inserts on one connection. */
    record Inserts(List<String> rows) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Flux.fromIterable(rows)
                    .flatMap(row -> body.insert(row, true).subscribeOn(Schedulers.parallel()))
                    .then();
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            for (String row : rows) {
                scope.insert(row);
            }
        }
    }

    /** Inserts a row for each row of an open stream. */
    record InsertForEachRow(List<String> rows) implements TreeStep {
        static final String SELECT = "select n from number order by n";

        @Override
        public Mono<Void> run(Body body) {
            return body.work
                    .sql(SELECT)
                    .map(Long.class)
                    .all()
                    .concatMap(n -> body.insert(rows.get(n.intValue()), n % 2 == 0))
                    .then();
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            new Inserts(rows).expect(model, scope);
        }
    }

    /** Cancels a stream after its first row. */
    record FirstRow() implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return body.work
                    .sql(InsertForEachRow.SELECT)
                    .map(Long.class)
                    .all()
                    .next()
                    .then();
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            scope.begin();
        }
    }

    record FailingStatement(boolean swallowed) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            Mono<Void> failing = body.sql("insert into nowhere (name) values ('x')", true);
            return swallowed ? failing.onErrorComplete() : failing;
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            try {
                scope.failStatement();
            } catch (Failed e) {
                if (!swallowed) {
                    throw e;
                }
            }
        }
    }

    record Fail() implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.error(OnPurpose::new);
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            throw new Failed(Failure.ON_PURPOSE);
        }
    }

    /** Cancels the unit's subscription. */
    record Cancel() implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.<Void>never().doOnSubscribe(waiting -> body.cancel.tryEmitEmpty());
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            throw new Failed(Failure.CANCELLED);
        }
    }

    /** Cancels the unit's subscription at about the time a statement runs. */
    record CancelDuringStatement(String row) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            Mono<Void> cancelling = Mono.<Void>fromRunnable(body.cancel::tryEmitEmpty)
                    .subscribeOn(Schedulers.parallel())
                    .then(Mono.never());
            return Mono.when(body.insert(row, true).onErrorComplete(), cancelling);
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) throws Failed {
            throw new Failed(Failure.CANCELLED);
        }
    }

    record SwitchThread() implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.<Void>empty().publishOn(Schedulers.parallel());
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) {}
    }

    /**
     * Adds an action before the commit.
     *
     * @param insert the row that the action inserts; null makes the action fail
     */
    record BeforeCommit(@Nullable String insert) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.fromRunnable(() ->
                    body.work.beforeCommit(insert == null ? Mono.error(OnPurpose::new) : body.insert(insert, false)));
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) {
            scope.beforeCommit(ending -> {
                if (insert == null) {
                    throw new Failed(Failure.ON_PURPOSE);
                }
                ending.insert(insert);
            });
        }
    }

    record AfterEnd(String hook) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.fromRunnable(() -> {
                body.work.afterCommit(Mono.fromRunnable(() -> body.environment.hooks.add("committed " + hook)));
                body.work.afterRollback(Mono.fromRunnable(() -> body.environment.hooks.add("rolled back " + hook)));
            });
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope scope) {
            scope.afterCommit("committed " + hook);
            scope.afterRollback("rolled back " + hook);
        }
    }
}
