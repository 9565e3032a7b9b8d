package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Proof;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that start together on one fresh database: each migration is applied once, and all end well. */
class ManyProcessesIT {

    private static final int ROUNDS = Proof.rounds(1, 20);
    private static final int PROCESSES = Proof.rounds(4, 8);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void processesOnOneServerApplyEachScriptOnce(Server server) throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            try (TestDatabase database = TestDatabase.fresh(server)) {
                assertAppliedOnce(database.url());
            }
        }
        Proof.figure(server + ": " + ROUNDS + " rounds of " + PROCESSES + " processes, each migration once");
    }

    /**
     * Of processes that open a file at once H2 refuses some ("Lock file recently modified"): these try again, by
     * connectTimeout.
     */
    @Test
    void processesOnOneH2FileApplyEachScriptOnce() throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            Path file = Files.createDirectories(directory.resolve("h2-" + i)).resolve("data");
            String url = "r2dbc:h2:file:///" + file + "?options=AUTO_SERVER=TRUE";
            assertAppliedOnce(url);
        }
        Proof.figure("H2 file: " + ROUNDS + " rounds of " + PROCESSES + " processes, each migration once");
    }

    private void assertAppliedOnce(String url) throws IOException {
        FiftyScripts scripts = FiftyScripts.in(Files.createDirectories(directory.resolve("scripts")));
        List<PodProcess> pods = IntStream.range(0, PROCESSES)
                .mapToObj(i -> PodProcess.start(url, scripts.directory()))
                .toList();
        try {
            pods.forEach(PodProcess::ready);
            pods.forEach(PodProcess::go);
            assertThat(pods).extracting(PodProcess::outcome).containsOnly("done");
            assertThat(pods.stream().flatMap(pod -> pod.applied().stream()))
                    .containsExactlyInAnyOrderElementsOf(FiftyScripts.names());
            scripts.assertComplete(url);
        } finally {
            pods.forEach(PodProcess::close);
        }
    }
}
