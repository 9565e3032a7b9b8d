package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Page;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** Compiles and starts the application of the Spring page, and sends it orders. */
class ReadmeSpringIT {
    @Test
    void applicationAcceptsOrders(@TempDir Path folder) throws Exception {
        Page.Example application = Page.of(Path.of("docs/spring.md")).examples().get(0);
        String source = "package readme;\n" + application.imports() + application.code();

        assertThat(Page.compile(folder, application.name(), source)).isEmpty();

        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
                ConfigurableApplicationContext shop = start(loader.loadClass("readme." + application.name()))) {
            assertThat(post(Shop.port(shop), "/orders/Ada")).isEqualTo("order 1");
            assertThat(post(Shop.port(shop), "/orders/Grace")).isEqualTo("order 2");
        }
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication start =
                new SpringApplication(new DefaultResourceLoader(application.getClassLoader()), application);
        start.setRegisterShutdownHook(false);
        return start.run(
                "--server.port=0", "--spring.main.banner-mode=off", "--r2dbc-engine.url=r2dbc:h2:mem:///readme-shop");
    }

    private static String post(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
