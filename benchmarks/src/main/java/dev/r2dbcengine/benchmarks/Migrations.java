package dev.r2dbcengine.benchmarks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Migrations of an empty database, and the look at one that has them all, each with the connection that it takes: beside a
 * loop by hand that sends the same statements, Flyway over JDBC, and r2dbc-migrate. In one process and by turns, with a
 * database of its own for each run.
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

    /** By hand one would not look. */
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
