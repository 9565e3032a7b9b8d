package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import reactor.util.Logger;
import reactor.util.Loggers;

class CapturedLogsTest {
    private static final Logger LOGGER = Loggers.getLogger(CapturedLogsTest.class);

    @Test
    void capturesFromDebugOnUntilItIsClosed() {
        try (CapturedLogs logs = CapturedLogs.of(CapturedLogsTest.class)) {
            LOGGER.warn("pool of {} is lost", "shop");
            LOGGER.debug("detail");
            LOGGER.trace("too much");
            assertThat(logs.lines()).containsExactly("WARN pool of shop is lost", "DEBUG detail");
            assertThat(logs.events()).hasSize(2);
        }
        assertThat(LOGGER.isDebugEnabled()).isFalse();
    }
}
