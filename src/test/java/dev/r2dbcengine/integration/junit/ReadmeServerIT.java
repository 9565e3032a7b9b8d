package dev.r2dbcengine.integration.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.r2dbcengine.testing.Page;
import dev.r2dbcengine.testing.Server;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs the example of the tests page with a database on a server. */
class ReadmeServerIT {
    private static final String URL = "database.url";

    @AfterEach
    void clearProperty() {
        System.clearProperty(URL);
    }

    @Test
    void examplePassesOnServer(@TempDir Path folder) throws Exception {
        Page.Example test = Page.of(Path.of("docs/tests.md")).examples().get(1);
        System.setProperty(URL, On.url(Server.POSTGRESQL));

        assertThat(Page.compile(folder, test.name(), test.imports() + test.code()))
                .isEmpty();

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(loader.loadClass(test.name())))
                    .execute()
                    .testEvents()
                    .assertStatistics(events -> events.failed(0).succeeded(1));
        }
    }
}
