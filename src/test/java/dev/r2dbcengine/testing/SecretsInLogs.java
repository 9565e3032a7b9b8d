package dev.r2dbcengine.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;

/** Sees each line that the library logs, at any level, whether somebody reads it or not: logback-test.xml has it. */
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
            Secrets.look(line, level + " line of " + logger.getName());
            for (Throwable each = thrown; each != null; each = each.getCause()) {
                Secrets.look(each.toString(), "exception in a " + level + " line of " + logger.getName());
            }
        }
        return FilterReply.NEUTRAL;
    }
}
