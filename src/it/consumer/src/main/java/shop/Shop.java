package shop;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import reactor.core.publisher.Mono;

/** The first example of the README, in an application that has the library, Reactor and one driver. */
public final class Shop {

    private Shop() {}

    /** Orders something, and fails unless it is there. */
    public static void main(String[] args) {
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        Engine engine = engines.engine("r2dbc:h2:mem:///shop");

        Mono<Long> ordered = MigrationRunner.on(engine).migrate()
            .then(engine.unitOfWork().execute(work ->
                work.sql("insert into orders(customer) values (:customer)").bind("customer", "Ada")
                    .returning("id").map(Long.class).one()
                    .flatMap(id -> work.sql("insert into lines(order_id, sku) values (:id, :sku)").bind("id", id).bind("sku", "A-1")
                        .update().thenReturn(id))));

        Long id = ordered.block();
        Long lines = engine.sql("select count(*) from lines where order_id = :id")
                .bind("id", id)
                .map(Long.class)
                .one()
                .block();
        engines.close().block();
        if (lines != 1) {
            throw new IllegalStateException("order " + id + " has " + lines + " lines");
        }
        System.out.println("order " + id + " has one line");
    }
}
