package dev.r2dbcengine.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Migrates an empty database, and checks a database that is up to date, including the connection. The peers are a
 * hand-written loop that sends the same statements, Flyway over JDBC, and r2dbc-migrate. They run alternately in one
 * process, each run on its own database.
 */
record Migrations(Run run, MigrationServer server) {

    void measure() throws Exception {
        all(run.effort().scripts);
        nothing(10);
        nothing(run.effort().scripts);
        nothing(run.effort().scripts * 10);
    }

    private void all(int scripts) throws Exception {
        Path directory = Folder.ofScripts(scripts);
        Map<String, Turns.Turn> peers = new LinkedHashMap<>();
        for (Migrator migrator : Migrator.values()) {
            peers.put(migrator.title, () -> {
                try (MigrationServer.Database database = server.create()) {
                    Map<String, Double> taken = Turns.nanos(1, () -> migrator.migrate(database, directory));
                    check(database, scripts);
                    return taken;
                }
            });
        }
        turns().measure(scripts + " scripts", Migrator.BY_HAND.title, peers);
    }

    private void check(MigrationServer.Database database, int scripts) {
        long rows = database.count("t" + scripts);
        if (rows != 1) {
            throw new IllegalStateException("The last script has left " + rows + " rows");
        }
    }

    /** Hand-written code would not check. */
    private void nothing(int applied) throws Exception {
        Path directory = Folder.ofScripts(applied);
        try (MigrationServer.Database shared = server.create();
                MigrationServer.Database other = server.create()) {
            Map<String, Turns.Turn> peers = new LinkedHashMap<>();
            look(peers, Migrator.ENGINE, shared, directory);
            look(peers, Migrator.FLYWAY, shared, directory);
            look(peers, Migrator.R2DBC_MIGRATE, other, directory);
            turns().measure(applied + " applied and nothing to do", Migrator.FLYWAY.title, peers);
        }
    }

    private static void look(
            Map<String, Turns.Turn> peers, Migrator migrator, MigrationServer.Database database, Path directory)
            throws Exception {
        migrator.migrate(database, directory);
        peers.put(migrator.title, () -> Turns.nanos(1, () -> migrator.migrate(database, directory)));
    }

    private Turns turns() {
        return new Turns(run, server.name(), true);
    }
}
