package dev.r2dbcengine;

import io.r2dbc.spi.NoSuchOptionException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Why an engine does not open, and what to do: our own words and the code, since a driver's message may carry values. */
final class OpenProblem {

    /** The class of SQLSTATEs that the standard calls "invalid authorization specification". */
    private static final String LOGIN_REFUSED = "28";

    /** The class of SQLSTATEs that the standard calls "invalid catalog name"; MariaDB has a code of its own. */
    private static final String NO_DATABASE = "3D";

    private static final int NO_DATABASE_OF_MARIADB = 1049;

    /** A relative path without a dot, a URL that is none, a mode or a setting that does not exist. */
    private static final Set<String> REFUSED_BY_H2 = Set.of("90011", "90046", "90088", "90113");

    private static final Map<String, String> DRIVERS = Map.of(
            "h2", "io.r2dbc:r2dbc-h2 and com.h2database:h2",
            "postgresql", "org.postgresql:r2dbc-postgresql",
            "mariadb", "org.mariadb:r2dbc-mariadb",
            "mysql", "io.asyncer:r2dbc-mysql");

    private OpenProblem() {}

    static String noDriver(String driver, String protocol) {
        if (driver.equals("h2") && !protocol.equals("mem") && !protocol.equals("file")) {
            return "H2 wants a protocol, mem or file: r2dbc:h2:mem:///shop, r2dbc:h2:file:///./shop";
        }
        String coordinates = DRIVERS.get(driver);
        return "no driver on the class path takes this URL. Add the driver '" + driver + "' to the dependencies"
                + (coordinates == null ? "" : ": " + coordinates);
    }

    static String of(Throwable error) {
        String kind = error.getClass().getSimpleName()
                + sqlState(error).map(", SQLSTATE "::concat).orElse("");
        if (error instanceof NoSuchOptionException missing) {
            return "the driver needs '" + missing.getOption().name()
                    + "', which the URL does not have. User and password"
                    + " stand before the host, as user:password@host, or come from credentials(…)";
        }
        if (hasCause(error, OpenProblem::isLoginRefused)) {
            return "the database refused the login (" + kind + "). Check user, password and database";
        }
        if (hasCause(error, OpenProblem::isDatabaseMissing)) {
            return "the server has no database of that name (" + kind + "). Create it, or correct the end of the URL";
        }
        if (hasCause(error, OpenProblem::isRefusedByH2)) {
            return "H2 refuses what stands behind file:/// or mem:/// (" + kind + "); the cause says why";
        }
        if (hasCause(error, R2dbcTimeoutException.class::isInstance)) {
            return "the database did not answer in time (" + kind + "). Is it up, and reachable from here?"
                    + " maxCreateConnectionTime and maxAcquireTime limit the wait";
        }
        if (hasCause(error, R2dbcNonTransientResourceException.class::isInstance)
                || hasCause(error, IOException.class::isInstance)) {
            return "the database could not be reached (" + kind + "). Is it up, and are host and port right?";
        }
        return kind + "; the cause says more";
    }

    private static boolean isLoginRefused(Throwable error) {
        return error instanceof R2dbcPermissionDeniedException || hasState(error, LOGIN_REFUSED);
    }

    private static boolean isDatabaseMissing(Throwable error) {
        return hasState(error, NO_DATABASE)
                || (error instanceof R2dbcException driver && driver.getErrorCode() == NO_DATABASE_OF_MARIADB);
    }

    private static boolean isRefusedByH2(Throwable error) {
        return sqlState(error).filter(REFUSED_BY_H2::contains).isPresent();
    }

    private static boolean hasState(Throwable error, String beginning) {
        return sqlState(error).filter(state -> state.startsWith(beginning)).isPresent();
    }

    private static Optional<String> sqlState(Throwable error) {
        return error instanceof R2dbcException driver ? Optional.ofNullable(driver.getSqlState()) : Optional.empty();
    }

    /* Some drivers tell a refused login as the cause of a failed connection. */
    private static boolean hasCause(Throwable error, Predicate<Throwable> kind) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .limit(10)
                .anyMatch(kind);
    }
}
