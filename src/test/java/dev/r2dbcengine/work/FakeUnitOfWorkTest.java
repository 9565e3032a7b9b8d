package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcBadGrammarException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.scheduler.Schedulers;

/** The contract on a fake driver that answers each call on another thread. */
class FakeUnitOfWorkTest extends UnitOfWorkContract {
    private final Map<String, FakeDriver> drivers = new ConcurrentHashMap<>();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .connectionFactory(options -> driver(String.valueOf(options.getValue(ConnectionFactoryOptions.DATABASE))))
            .listener(units)
            .build();

    private FakeDriver driver(String database) {
        return drivers.computeIfAbsent(database, name -> {
            FakeDriver driver = new FakeDriver();
            for (Call call : Call.values()) {
                if (call != Call.PREPARE) {
                    driver.on(call).answersOn(Schedulers.parallel());
                }
            }
            driver.on(Call.EXECUTE, sql -> sql.contains("nowhere"))
                    .answersOn(Schedulers.parallel())
                    .fails(new R2dbcBadGrammarException("no table", "42P01", 0, "insert into nowhere"));
            return driver;
        });
    }

    @Override
    ReactiveEngineCache engines() {
        return engines;
    }

    private final Engine first = engines.engine("r2dbc:fake://host/first");
    private final Engine second = engines.engine("r2dbc:fake://host/second");

    @Override
    Engine engine() {
        return first;
    }

    @Override
    Engine otherHandle() {
        return engines.engine("r2dbc:fake://HOST/first");
    }

    @Override
    Engine otherDatabase() {
        return second;
    }

    @Override
    List<String> items(Engine of) {
        return CommittedItems.after(driver(of == first ? "first" : "second").calls());
    }

    @Override
    void afterClose() {
        drivers.values().forEach(driver -> assertThat(driver.violations()).isEmpty());
    }
}
