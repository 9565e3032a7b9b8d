package dev.r2dbcengine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The expected effects of units of work, computed synchronously and without a connection. */
final class TreeModel {

    /** The failure of a step or unit. */
    enum Failure {
        ON_PURPOSE,
        STATEMENT,
        COMMIT,
        UNEXPECTED_ROLLBACK,
        NO_OUTER_UNIT,
        /** Its subscriber has cancelled. */
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

    /** An action before the end of a scope. */
    @FunctionalInterface
    interface Action {
        void run(Scope scope) throws Failed;
    }

    private enum RollbackMark {
        NONE,
        REQUESTED,
        UNEXPECTED
    }

    final TreeSet<String> committed = new TreeSet<>();
    final List<String> hooks = new ArrayList<>();

    /** Whether a failed statement aborts the transaction until a rollback, as on PostgreSQL. */
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
        private RollbackMark rollback = RollbackMark.NONE;
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

        /** Begins this scope and its outer scopes, on the first statement. */
        void begin() throws Failed {
            if (transaction().aborted) {
                throw new Failed(Failure.STATEMENT);
            }
            for (Scope scope = this; scope != null; scope = scope.outer) {
                scope.begun = true;
            }
        }

        private Scope transaction() {
            return outer == null ? this : outer.transaction();
        }

        void markRollback(boolean requested) {
            if (rollback != RollbackMark.UNEXPECTED) {
                rollback = requested ? RollbackMark.REQUESTED : RollbackMark.UNEXPECTED;
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

        /** Runs the hooks before the commit, after the body has succeeded. */
        void complete() throws Failed {
            while (rollback == RollbackMark.NONE && !beforeCommit.isEmpty()) {
                List<Action> actions = List.copyOf(beforeCommit);
                beforeCommit.clear();
                for (Action action : actions) {
                    action.run(this);
                }
            }
        }

        /**
         * Ends the scope.
         *
         * @param failure of the body; null for none
         * @param keeps whether the changes may be committed
         * @return the failure that the subscriber receives; null for none
         */
        @Nullable Failure end(@Nullable Failure failure, boolean keeps) {
            boolean commits = keeps && rollback == RollbackMark.NONE;
            Failure result =
                    failure == null && rollback == RollbackMark.UNEXPECTED ? Failure.UNEXPECTED_ROLLBACK : failure;
            if (commits && begun && transaction().aborted) {
                commits = false;
                result = outer == null ? Failure.COMMIT : Failure.STATEMENT;
            }
            if (begun && !commits) {
                transaction().aborted = false;
            }
            if (commits) {
                commit();
            } else if (outer == null) {
                hooks.addAll(afterRollback);
            }
            return result;
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
