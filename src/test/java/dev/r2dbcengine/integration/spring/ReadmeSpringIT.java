package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** Compiles the application of the README, starts it, and sends it an order. */
class ReadmeSpringIT {
    private static final Pattern APPLICATION =
            Pattern.compile("```java\n(@SpringBootApplication\nclass (\\w+) .*?)```", Pattern.DOTALL);
    private static final String IMPORTS = """
            package readme;

            import dev.r2dbcengine.work.*;
            import org.springframework.boot.autoconfigure.*;
            import org.springframework.context.annotation.*;
            import org.springframework.web.reactive.function.server.*;

            """;

    @Test
    void theApplicationTakesOrders(@TempDir Path folder) throws Exception {
        Matcher found = APPLICATION.matcher(Files.readString(Path.of("README.md")));
        assertThat(found.find()).isTrue();
        Path source = Files.writeString(folder.resolve(found.group(2) + ".java"), IMPORTS + found.group(1));

        assertThat(compile(source, folder)).isEmpty();

        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
                ConfigurableApplicationContext shop = start(loader.loadClass("readme." + found.group(2)))) {
            assertThat(post(Shop.port(shop), "/orders/Ada")).isEqualTo("order 1");
            assertThat(post(Shop.port(shop), "/orders/Grace")).isEqualTo("order 2");
        }
    }

    private static String compile(Path source, Path target) {
        StringWriter errors = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        compiler.getTask(
                        errors,
                        null,
                        null,
                        List.of(
                                "-proc:none",
                                "-d",
                                target.toString(),
                                "-classpath",
                                System.getProperty("java.class.path")),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
                .call();
        return errors.toString();
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
