package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.EngineSettings;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import dev.r2dbcengine.testing.Proof;
import io.r2dbc.spi.R2dbcBadGrammarException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The contract on a fake driver; the seed determines which calls answer immediately and which on another thread. */
class FakeRandomUnitsTest extends RandomUnitsContract {
    private final FakeDriver driver = new FakeDriver();
    private final ReactiveEngineCache engines = ReactiveEngineCache.builder()
            .connectionFactory(options -> driver)
            .settings(EngineSettings.builder().maxSize(50).build())
            .listener(QUIET)
            .build();
    private final Engine engine = engines.engine("r2dbc:fake://host/units");

    @AfterEach
    void close() {
        engines.close().block(Duration.ofSeconds(30));
        assertThat(driver.openConnections()).isZero();
    }

    @Override
    ReactiveEngineCache engines() {
        return engines;
    }

    @Override
    Engine engine() {
        return engine;
    }

    @Override
    int trees() {
        return Proof.rounds(3_000, 100_000);
    }

    @Override
    boolean failuresAbort() {
        return false;
    }

    @Override
    void prepare(long seed) {
        Random random = new Random(seed);
        driver.behaveOrdinarily();
        driver.clear();
        for (Call call : Call.values()) {
            if (call != Call.PREPARE && random.nextBoolean()) {
                driver.on(call).answersOn(Schedulers.parallel());
            }
        }
        driver.on(Call.EXECUTE, sql -> sql.contains("nowhere"))
                .answersOn(Schedulers.parallel())
                .fails(new R2dbcBadGrammarException("no table", "42P01", 0, "insert into nowhere"));
    }

    @Override
    Mono<List<String>> rows(long seed) {
        return Mono.fromSupplier(() -> CommittedItems.after(driver.calls()));
    }

    /** Returns the misuses; the cancellation of a pending acquisition is not one. */
    @Override
    List<String> misuses() {
        List<String> calls = driver.calls(Call.CREATE);
        List<String> misuses = new ArrayList<>(driver.violations());
        calls.stream().filter(call -> call.contains("cancel")).forEach(misuses::add);
        long open = count(calls, "begin") - count(calls, "commit") - count(calls, "rollback");
        if (open != 0) {
            misuses.add(open + " transactions left open");
        }
        return misuses;
    }

    private static long count(List<String> calls, String call) {
        return calls.stream().filter(each -> each.endsWith(" " + call)).count();
    }

    @Override
    void assertClean() {
        assertThat(misuses()).isEmpty();
    }

    {
        driver.answer(TreeStep.InsertForEachRow.SELECT, RandomTree.NUMBERS, number -> FakeRow.of("n", (long) number));
    }
}
