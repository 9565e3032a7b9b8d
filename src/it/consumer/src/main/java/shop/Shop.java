package shop;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.migrate.MigrationRunner;
import reactor.core.publisher.Mono;

public final class Shop {

    public static void main(String[] args) {
        ReactiveEngineCache engines = ReactiveEngineCache.create();
        Engine engine = engines.engine("r2dbc:h2:mem:///shop");

        Mono<Long> ordered = MigrationRunner.on(engine).migrate()
            .then(engine.unitOfWork().execute(work -> work
                .sql("insert into orders(customer) values (:customer)")
                .bind("customer", "Ada")
                .returning("id").map(Long.class).one()
                .flatMap(id -> work
                    .sql("insert into lines(order_id, sku) values (:id, :sku)")
                    .bind("id", id).bind("sku", "A-1")
                    .update().thenReturn(id))));

        System.out.println("Order " + ordered.block());
        System.out.println("Lines of orders: " + engine.sql("select count(*) from lines").map(Long.class).one().block());
        engines.close().block();
    }
}
