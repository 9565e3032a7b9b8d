package dev.r2dbcengine.work;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The levels that a Context is within. It holds the innermost; each knows the one around it, on whatever source, and is in
 * one Context only: that of its run.
 */
final class ContextScopes {

    private ContextScopes() {}

    static Context put(Context context, TransactionScope level) {
        return context.put(ContextScopes.class, level);
    }

    /* The Context itself where it tells of the level's transaction; a level that was lost comes with what is around it. */
    static Context within(Context context, TransactionScope level) {
        return find(context, level.transaction()) == null ? put(context, level) : context;
    }

    static boolean isNone(ContextView context) {
        return !context.hasKey(ContextScopes.class);
    }

    static @Nullable TransactionScope find(ContextView context, Object identity) {
        TransactionScope level = innermost(context);
        while (level != null && !level.transaction().identity().equals(identity)) {
            level = level.around();
        }
        return level;
    }

    static @Nullable TransactionScope find(ContextView context, Transaction transaction) {
        TransactionScope level = innermost(context);
        while (level != null && level.transaction() != transaction) {
            level = level.around();
        }
        return level;
    }

    static @Nullable TransactionScope innermost(ContextView context) {
        return context.getOrDefault(ContextScopes.class, null);
    }
}
