package dev.r2dbcengine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What units of work are to leave behind, told without any connection: plain lists, one thread, nothing asynchronous. */
final class TreeModel {

    /** How something ends that does not end well. */
    enum Failure {
        ON_PURPOSE,
        STATEMENT,
        COMMIT,
        UNEXPECTED_ROLLBACK,
        NO_OUTER_UNIT,
        /** Its subscriber has left. */
        CANCELLED
    }

    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        final Failure failure;

        Failed(Failure failure) {
            super(failure.name(), null, false, false);
            this.failure = failure;
        }
    }

    /** What comes before the end of a level. */
    @FunctionalInterface
    interface Action {
        void run(Scope level) throws Failed;
    }

    private enum Demand {
        NONE,
        ASKED,
        UNEXPECTED
    }

    final TreeSet<String> committed = new TreeSet<>();
    final List<String> hooks = new ArrayList<>();

    /** Whether a failed statement fails all that follow, until a rollback: so does PostgreSQL. */
    private final boolean failuresAbort;

    TreeModel(boolean failuresAbort) {
        this.failuresAbort = failuresAbort;
    }

    /** A transaction, or a savepoint within one. */
    final class Scope {
        private final @Nullable Scope outer;
        private final List<String> rows = new ArrayList<>();
        private final List<Action> beforeCommit = new ArrayList<>();
        private final List<String> afterCommit = new ArrayList<>();
        private final List<String> afterRollback = new ArrayList<>();
        private Demand rollback = Demand.NONE;
        private boolean begun;
        private boolean aborted;

        Scope(@Nullable Scope outer) {
            this.outer = outer;
        }

        void insert(String row) throws Failed {
            begin();
            rows.add(row);
        }

        void failStatement() throws Failed {
            begin();
            transaction().aborted = failuresAbort;
            throw new Failed(Failure.STATEMENT);
        }

        /** With the first statement, and what is around with it. */
        void begin() throws Failed {
            if (transaction().aborted) {
                throw new Failed(Failure.STATEMENT);
            }
            for (Scope level = this; level != null; level = level.outer) {
                level.begun = true;
            }
        }

        private Scope transaction() {
            return outer == null ? this : outer.transaction();
        }

        void demandRollback(boolean asked) {
            if (rollback != Demand.UNEXPECTED) {
                rollback = asked ? Demand.ASKED : Demand.UNEXPECTED;
            }
        }

        void beforeCommit(Action action) {
            beforeCommit.add(action);
        }

        void afterCommit(String hook) {
            afterCommit.add(hook);
        }

        void afterRollback(String hook) {
            afterRollback.add(hook);
        }

        /** The body has ended well. */
        void complete() throws Failed {
            while (rollback == Demand.NONE && !beforeCommit.isEmpty()) {
                List<Action> actions = List.copyOf(beforeCommit);
                beforeCommit.clear();
                for (Action action : actions) {
                    action.run(this);
                }
            }
        }

        /**
         * The end.
         *
         * @param failure of the body; null for none
         * @param keeps what it has done nevertheless, or may keep after a good end
         * @return what the subscriber is told; null for no failure
         */
        @Nullable Failure end(@Nullable Failure failure, boolean keeps) {
            boolean commits = keeps && rollback == Demand.NONE;
            Failure told = failure == null && rollback == Demand.UNEXPECTED ? Failure.UNEXPECTED_ROLLBACK : failure;
            if (commits && begun && transaction().aborted) {
                commits = false;
                told = outer == null ? Failure.COMMIT : Failure.STATEMENT;
            }
            if (begun && !commits) {
                transaction().aborted = false;
            }
            if (commits) {
                commit();
            } else if (outer == null) {
                hooks.addAll(afterRollback);
            }
            return told;
        }

        private void commit() {
            if (outer == null) {
                committed.addAll(rows);
                hooks.addAll(afterCommit);
            } else {
                outer.rows.addAll(rows);
                outer.beforeCommit.addAll(beforeCommit);
                outer.afterCommit.addAll(afterCommit);
                outer.afterRollback.addAll(afterRollback);
            }
        }
    }
}
