package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class H2PackagedJarIT extends PackagedJarContract {

    @Override
    Map<String, String> environment() {
        return Map.of("R2E_URL", "r2dbc:h2:file:///" + directory.resolve("shop"));
    }

    @Override
    String afterFailure() {
        return "FAILED";
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullStandardOutputIsAnError() {
        Called called = new PackagedJar(directory).toFullDevice(variables(), "plan", "--sql");

        assertThat(called.exitCode()).as(called.toString()).isOne();
        assertThat(called.errors()).singleElement().asString().startsWith("error The standard output");
    }
}
