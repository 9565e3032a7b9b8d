package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class PostgreSqlRetriedUnitsIT extends ServerRetriedUnitsContract {
    PostgreSqlRetriedUnitsIT() {
        super(Server.POSTGRESQL);
    }

    /* Write skew: each unit reads what the other writes, so the server rejects the second commit. */
    @Test
    void serializationFailureAtCommitIsRetried() {
        List<Sinks.One<Boolean>> written = List.of(Sinks.one(), Sinks.one());
        UnitOfWork unit = isolatedUnit().retry(MANY);

        StepVerifier.create(Flux.range(0, 2)
                        .flatMap(i -> unit.execute(work -> work.sql("select sum(balance) from account where id < 2")
                                .map(Long.class)
                                .one()
                                .flatMap(sum -> add(work, i, -sum / 2))
                                .doOnNext(count -> written.get(i).tryEmitValue(true))
                                .flatMap(count -> written.get(1 - i).asMono().thenReturn(count))))
                        .count())
                .expectNext(2L)
                .expectComplete()
                .verify(LONG);

        assertThat(units.count("committed")).isEqualTo(2);
        assertThat(units.count("retrying after 1")).isOne();
    }
}
