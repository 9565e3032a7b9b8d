package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.work.UnitOfWork;
import dev.r2dbcengine.work.Work;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** A web application that stores orders of two lines each in units of work. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Shop {
    static final String TENANT = "tenant";

    /** Starts the application in its own process, sends an order and prints the response. */
    public static void main(String[] arguments) throws Exception {
        try (ConfigurableApplicationContext shop = start(arguments)) {
            URI order = URI.create("http://localhost:" + port(shop) + "/orders/1");
            HttpRequest request = HttpRequest.newBuilder(order)
                    .timeout(Duration.ofSeconds(30))
                    .header("X-Tenant", "ada")
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println("answer " + answer.statusCode() + " " + answer.body());
            System.out.println("actuator " + shop.containsBean("migrationsEndpoint"));
        }
    }

    /** Starts the application without changing the logging configuration of the tests. */
    static ConfigurableApplicationContext start(String... arguments) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication application = new SpringApplication(Shop.class);
        application.setRegisterShutdownHook(false);
        return application.run(arguments);
    }

    static int port(ConfigurableApplicationContext shop) {
        return shop.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Writes the tenant of the header to the Reactor Context. */
    @Bean
    WebFilter tenantOfTheHeader() {
        return (exchange, chain) -> {
            String tenant = exchange.getRequest().getHeaders().getFirst("X-Tenant");
            return chain.filter(exchange)
                    .contextWrite(context -> tenant == null ? context : context.put(TENANT, tenant));
        };
    }

    @Bean
    RouterFunction<ServerResponse> orders(UnitOfWork units) {
        return RouterFunctions.route()
                .POST("/orders/{no}", request -> order(units, request))
                .GET(
                        "/orders",
                        request -> units.sql("select count(*) from purchase")
                                .map(Long.class)
                                .one()
                                .flatMap(count -> ServerResponse.ok().bodyValue(count)))
                .build();
    }

    private static Mono<ServerResponse> order(UnitOfWork units, ServerRequest request) {
        int no = Integer.parseInt(request.pathVariable("no"));
        boolean fails = request.queryParam("fails").isPresent();
        return units.name("order " + no % 10)
                .execute(work -> purchase(work, no)
                        .then(line(work, no, "A-1"))
                        .then(fails ? Mono.error(new IllegalStateException("out of stock")) : line(work, no, "B-2")))
                .then(ServerResponse.ok().bodyValue("order " + no))
                .onErrorResume(
                        IllegalStateException.class,
                        e -> ServerResponse.status(409).bodyValue("out of stock"));
    }

    private static Mono<Long> purchase(Work work, int no) {
        return Mono.deferContextual(context -> work.sql("insert into purchase (no, tenant) values (:no, :tenant)")
                .bind("no", no)
                .bind("tenant", context.<String>get(TENANT))
                .update());
    }

    private static Mono<Long> line(Work work, int no, String sku) {
        return work.sql("insert into purchase_line (purchase_no, sku) values (:no, :sku)")
                .bind("no", no)
                .bind("sku", sku)
                .update();
    }
}
