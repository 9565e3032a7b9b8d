package dev.r2dbcengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.internal.pool.PoolOptions;
import dev.r2dbcengine.internal.url.Setting;
import io.r2dbc.spi.ValidationDepth;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EngineSettingsTest {
    @ParameterizedTest
    @EnumSource
    void everySettingHasDefault(Setting setting) {
        assertThat(EngineSettings.defaults().options().value(setting)).isEqualTo(setting.defaultValue());
        assertThat(setting.read(setting.defaultValue())).isEqualTo(setting.defaultValue());
        assertThat(setting.read(setting.defaultValue().toString())).isEqualTo(setting.defaultValue());
        assertThat(Setting.named(setting.optionName())).contains(setting);
    }

    @Test
    void everySettingCanBeSet() {
        EngineSettings settings = EngineSettings.builder()
                .initialSize(1)
                .minIdle(2)
                .maxSize(3)
                .maxIdleTime(Duration.ofSeconds(4))
                .maxLifeTime(Duration.ofSeconds(5))
                .maxAcquireTime(Duration.ofSeconds(6))
                .maxCreateConnectionTime(Duration.ofSeconds(7))
                .hostTimeout(Duration.ofSeconds(12))
                .hostRetryInterval(Duration.ofSeconds(13))
                .maxValidationTime(Duration.ofSeconds(8))
                .backgroundEvictionInterval(Duration.ofSeconds(9))
                .acquireRetry(10)
                .validationQuery("select 11")
                .validationDepth(ValidationDepth.REMOTE)
                .connectOnOpen(false)
                .build();

        assertThat(settings.toString())
                .isEqualTo("EngineSettings{INITIAL_SIZE=1, MIN_IDLE=2, MAX_SIZE=3, MAX_IDLE_TIME=PT4S,"
                        + " MAX_LIFE_TIME=PT5S, MAX_ACQUIRE_TIME=PT6S, MAX_CREATE_CONNECTION_TIME=PT7S,"
                        + " HOST_TIMEOUT=PT12S, HOST_RETRY_INTERVAL=PT13S, MAX_VALIDATION_TIME=PT8S, BACKGROUND_EVICTION_INTERVAL=PT9S, ACQUIRE_RETRY=10,"
                        + " VALIDATION_QUERY=select 11, VALIDATION_DEPTH=REMOTE}, connectOnOpen=false");
    }

    @Test
    void settingsInUrlTakePrecedence() {
        EngineSettings code = EngineSettings.builder().maxSize(3).initialSize(2).build();

        PoolOptions both = code.options().with(Map.of(Setting.MAX_SIZE, 7));

        assertThat(both.count(Setting.MAX_SIZE)).isEqualTo(7);
        assertThat(both.count(Setting.INITIAL_SIZE)).isEqualTo(2);
        assertThat(code.options().with(Map.of())).isSameAs(code.options());
    }

    @Test
    void invalidValueIsRejectedImmediately() {
        EngineSettings.Builder builder = EngineSettings.builder();

        assertThatThrownBy(() -> builder.maxSize(0)).hasMessage("maxSize is '0': must be one or more");
        assertThatThrownBy(() -> builder.minIdle(-1)).hasMessage("minIdle is '-1': must be zero or more");
        assertThatThrownBy(() -> builder.maxIdleTime(Duration.ofSeconds(-1)))
                .hasMessage("maxIdleTime is 'PT-1S': must not be negative");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = ".*_(TIME|INTERVAL)")
    void timesAreCappedAtHundredYears(Setting time) {
        assertThat(time.read(Duration.ofDays(73_000))).isEqualTo(Duration.ofDays(36_500));
        assertThat(time.read("PT9223372036854775807S")).isEqualTo(Duration.ofDays(36_500));
    }

    @Test
    void sizeAboveMaxSizeIsRejected() {
        assertThatThrownBy(
                        () -> EngineSettings.builder().initialSize(5).maxSize(4).build())
                .hasMessage("initialSize is 5, more than maxSize, which is 4: raise maxSize or lower the other");
        assertThatThrownBy(() -> EngineSettings.builder().minIdle(11).build())
                .hasMessageStartingWith("minIdle is 11, more than maxSize, which is 10");
    }

    @Test
    void settingThatIsSetTwiceIsRejected() {
        assertThatThrownBy(() -> EngineSettings.builder().maxSize(4).maxSize(5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("maxSize is set twice: to 4 and to 5. Set it once");
        assertThatThrownBy(() -> EngineSettings.builder().onConnect("set a = 1").onConnect("set b = 2"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("onConnect is set twice. Set it once, with all statements");
        assertThatThrownBy(() -> EngineSettings.builder().connectOnOpen(true).connectOnOpen(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("connectOnOpen is set twice: to true and to false. Set it once");
        assertThatThrownBy(() ->
                        EngineSettings.builder().clock(Clock.systemUTC()).clock(Clock.tickSeconds(ZoneOffset.UTC)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("clock is set twice: to ");
    }
}
