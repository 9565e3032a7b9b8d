package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.r2dbcengine.testing.Page;
import dev.r2dbcengine.testing.Proof;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
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

    @Test
    void pageListsEveryModuleThatTheJarUses() {
        assumeThat(Proof.rounds(0, 1)).as("jdeps takes seconds").isOne();
        StringWriter modules = new StringWriter();
        int status = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        new PrintWriter(modules),
                        new PrintWriter(modules),
                        "--multi-release=base",
                        "--ignore-missing-deps",
                        "--print-module-deps",
                        PackagedJar.jar());

        assertThat(status).as(modules.toString()).isZero();
        assertThat(Page.of(Path.of("docs/kubernetes.md")).text())
                .contains(Stream.of(modules.toString().trim().split(",", -1))
                        .map(module -> module.equals("jdk.unsupported") ? module + "\n" : module + ",")
                        .toList());
    }
}
