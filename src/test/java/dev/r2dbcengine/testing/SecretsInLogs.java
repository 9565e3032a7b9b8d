package dev.r2dbcengine.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/** Sees each line that the library logs, at any level; registered in logback-test.xml. */
public final class SecretsInLogs extends TurboFilter {
    private static final String OURS = "dev.r2dbcengine";

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        if (format != null && logger.getName().startsWith(OURS)) {
            String line = MessageFormatter.arrayFormat(format, arguments).getMessage();
            Secrets.search(line, level + " line of " + logger.getName());
            String where = "exception in a " + level + " line of " + logger.getName();
            all(thrown).forEach(each -> Secrets.search(each.toString(), where));
        }
        return FilterReply.NEUTRAL;
    }

    /** Returns the messages of an exception, its causes and suppressed exceptions, which may be cyclic. */
    private static Set<Throwable> all(@Nullable Throwable thrown) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> next = new ArrayDeque<>();
        Stream.ofNullable(thrown).forEach(next::add);
        while (!next.isEmpty()) {
            Throwable each = next.remove();
            if (seen.add(each)) {
                Stream.ofNullable(each.getCause()).forEach(next::add);
                next.addAll(List.of(each.getSuppressed()));
            }
        }
        return seen;
    }
}
