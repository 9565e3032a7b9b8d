package dev.r2dbcengine.sql;

import static dev.r2dbcengine.sql.SqlTestBed.LONG;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class H2SqlIT extends SqlContract {
    H2SqlIT() {
        super(new H2Sql());
    }

    @Test
    void queryTimeoutOfConnectionIsRestored() {
        bed.run("set query_timeout 12345");
        StepVerifier.create(limited("select 1")).expectNext(1).verifyComplete();
        StepVerifier.create(limited("selectt 1")).verifyError();
        StepVerifier.create(bed.sql("select setting_value from information_schema.settings where setting_name = :name")
                        .bind("name", "QUERY_TIMEOUT")
                        .map(String.class)
                        .one())
                .expectNext("12345")
                .expectComplete()
                .verify(LONG);
        bed.run("set query_timeout 0");
    }

    private Mono<Integer> limited(String sql) {
        return bed.sql(sql).timeout(Duration.ofSeconds(1)).map(Integer.class).one();
    }
}
