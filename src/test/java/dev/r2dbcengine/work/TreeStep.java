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

/** One step of the body of a unit: what is done, and what the model says of it. */
interface TreeStep {

    /** Does it. */
    Mono<Void> run(Body body);

    /** Tells what is to come of it. */
    void expect(TreeModel model, TreeModel.Scope level) throws Failed;

    /** Where a tree is run. */
    record Bed(Engine engine, Queue<String> hooks) {
        Bed(Engine engine) {
            this(engine, new ConcurrentLinkedQueue<>());
        }
    }

    /**
     * A body that runs.
     *
     * @param leave tells the unit's subscriber to leave
     */
    record Body(Bed bed, Work work, Sinks.Empty<Void> leave) {
        Mono<Void> insert(String row, boolean byWork) {
            return sql("insert into item (name) values ('" + row + "')", byWork);
        }

        Mono<Void> sql(String sql, boolean byWork) {
            return (byWork ? work.sql(sql) : bed.engine.sql(sql)).update().then();
        }
    }

    static final class OnPurpose extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OnPurpose() {
            super("on purpose", null, false, false);
        }
    }

    /**
     * One row.
     *
     * @param byWork or by the engine, in which case the Context tells the unit
     */
    record Insert(String row, boolean byWork) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return body.insert(row, byWork);
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            level.insert(row);
        }
    }

    /** At once, on one connection. */
    record Inserts(List<String> rows) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Flux.fromIterable(rows)
                    .flatMap(row -> body.insert(row, true).subscribeOn(Schedulers.parallel()))
                    .then();
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            for (String row : rows) {
                level.insert(row);
            }
        }
    }

    /** An insert for each row of a stream that is open meanwhile. */
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
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            new Inserts(rows).expect(model, level);
        }
    }

    /** A stream that is left after its first row. */
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
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            level.begin();
        }
    }

    record FailingStatement(boolean swallowed) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            Mono<Void> failing = body.sql("insert into nowhere (name) values ('x')", true);
            return swallowed ? failing.onErrorComplete() : failing;
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            try {
                level.failStatement();
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
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            throw new Failed(Failure.ON_PURPOSE);
        }
    }

    /** The unit's subscriber leaves. */
    record Leave() implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.<Void>never().doOnSubscribe(waiting -> body.leave.tryEmitEmpty());
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            throw new Failed(Failure.CANCELLED);
        }
    }

    /** The unit's subscriber leaves while a statement runs, or about then. */
    record LeaveMeanwhile(String row) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            Mono<Void> leaving = Mono.<Void>fromRunnable(body.leave::tryEmitEmpty)
                    .subscribeOn(Schedulers.parallel())
                    .then(Mono.never());
            return Mono.when(body.insert(row, true).onErrorComplete(), leaving);
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) throws Failed {
            throw new Failed(Failure.CANCELLED);
        }
    }

    record GoOnElsewhere() implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.<Void>empty().publishOn(Schedulers.parallel());
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) {}
    }

    /**
     * Adds an action before the commit.
     *
     * @param insert what the action before the commit inserts; null lets it fail
     */
    record BeforeCommit(@Nullable String insert) implements TreeStep {
        @Override
        public Mono<Void> run(Body body) {
            return Mono.fromRunnable(() ->
                    body.work.beforeCommit(insert == null ? Mono.error(OnPurpose::new) : body.insert(insert, false)));
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) {
            level.beforeCommit(ending -> {
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
                body.work.afterCommit(Mono.fromRunnable(() -> body.bed.hooks.add("committed " + hook)));
                body.work.afterRollback(Mono.fromRunnable(() -> body.bed.hooks.add("rolled back " + hook)));
            });
        }

        @Override
        public void expect(TreeModel model, TreeModel.Scope level) {
            level.afterCommit("committed " + hook);
            level.afterRollback("rolled back " + hook);
        }
    }
}
