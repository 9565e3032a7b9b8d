package dev.r2dbcengine.benchmarks;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.internal.info.MigrationInfoDumper;

/** What one would write to have {@code info} from Flyway without its own command line. */
public final class FlywayInfo {
    private FlywayInfo() {}

    /** Arguments: JDBC URL, folder, user and password. */
    public static void main(String... args) {
        FluentConfiguration configuration =
                Flyway.configure().dataSource(args[0], args[2], args[3]).locations("filesystem:" + args[1]);
        System.out.println(
                MigrationInfoDumper.dumpToAsciiTable(configuration.load().info().all()));
    }
}
