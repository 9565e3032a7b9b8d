package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The units of work that a Context is within, from the innermost outwards.
 *
 * @param identity of the source that the unit runs on
 * @param level the innermost of that unit here
 * @param outer the one around it, on whatever source
 */
record Scope(Object identity, Level level, @Nullable Scope outer) {

    static Context put(Context context, Object identity, Level level) {
        return context.put(Scope.class, new Scope(identity, level, context.getOrDefault(Scope.class, null)));
    }

    /* The Context itself where it tells of the level's transaction. */
    static Context within(Context context, Level level) {
        Transaction transaction = level.transaction();
        return find(context, transaction) == null ? put(context, transaction.identity(), level) : context;
    }

    static boolean isNone(ContextView context) {
        return !context.hasKey(Scope.class);
    }

    static @Nullable Level find(ContextView context, Object identity) {
        Scope scope = context.getOrDefault(Scope.class, null);
        while (scope != null && !scope.identity.equals(identity)) {
            scope = scope.outer;
        }
        return scope == null ? null : scope.level;
    }

    static @Nullable Level find(ContextView context, Transaction transaction) {
        Scope scope = context.getOrDefault(Scope.class, null);
        while (scope != null && scope.level.transaction() != transaction) {
            scope = scope.outer;
        }
        return scope == null ? null : scope.level;
    }
}
