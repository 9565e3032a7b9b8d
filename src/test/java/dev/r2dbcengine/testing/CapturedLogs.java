package dev.r2dbcengine.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The log lines of one logger, and of those below it, from opening to close. Until then they are not
 * written to the console. Lines of concurrent tests are captured too:
 * assert that the lines contain the expected ones.
 *
 * <pre>{@code
 * try (CapturedLogs logs = CapturedLogs.of("dev.r2dbcengine.work")) {
 * …
 * assertThat(logs.lines()).containsExactly("WARN …");
 * }
 * }</pre>
 */
public final class CapturedLogs implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final @Nullable Level level;
    private final boolean additive;

    private CapturedLogs(Logger logger) {
        this.logger = logger;
        level = logger.getLevel();
        additive = logger.isAdditive();
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.DEBUG);
    }

    /** Captures lines of DEBUG and above. */
    public static CapturedLogs of(String logger) {
        return new CapturedLogs((Logger) LoggerFactory.getLogger(logger));
    }

    /** Captures the logger of this class. */
    public static CapturedLogs of(Class<?> type) {
        return of(type.getName());
    }

    /** Returns each line as level and message: {@code "WARN …"}. */
    public List<String> lines() {
        return appender.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    /** Returns the events, for assertions on throwables, threads and logger names. */
    public List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(additive);
        logger.setLevel(level);
        appender.stop();
    }
}
