package dev.r2dbcengine.dialect;

import static java.time.ZoneOffset.UTC;

import io.r2dbc.spi.IsolationLevel;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;

/** The data of the dialects that are known. */
final class Dialects {

    private static final String UTC_NAMES = "UTC|GMT|Z|[+-]00:?00";

    private static final TimeLimit MAX_STATEMENT_TIME =
            new TimeLimit("/*M! SET STATEMENT max_statement_time={seconds} FOR */ ", SessionSetting.NONE);

    private Dialects() {}

    private static LocalDateTime utc(Instant moment) {
        return LocalDateTime.ofInstant(moment, UTC);
    }

    /* TIME holds up to 838 hours, of which the drivers keep what is beyond the days. */
    private static LocalTime timeOfDay(Duration time) {
        if (time.isNegative() || time.toDays() > 0) {
            throw new IllegalArgumentException();
        }
        return LocalTime.MIDNIGHT.plus(time);
    }

    static Dialect h2() {
        return Dialect.builder("H2")
                .drivers("h2")
                .features(
                        Feature.BLOCKING,
                        Feature.BACKPRESSURE,
                        Feature.UPDATE_RETURNING,
                        Feature.CONFLICTS_END_TRANSACTIONS)
                .syntax(
                        Syntax.UNICODE_STRINGS,
                        Syntax.DOLLAR_QUOTES,
                        Syntax.BACKTICKS,
                        Syntax.SLASH_COMMENTS,
                        Syntax.NESTED_COMMENTS)
                .quirks(Quirk.CUTS_AT_SEMICOLONS, Quirk.QUOTES_RETURNED_NAMES)
                .encode(BigInteger.class, BigDecimal.class, BigDecimal::new)
                .marker("$1")
                .maxParameters(100_000)
                .timeLimit(new TimeLimit(
                        "",
                        new SessionSetting(
                                "select SETTING_VALUE from INFORMATION_SCHEMA.SETTINGS where SETTING_NAME ="
                                        + " 'QUERY_TIMEOUT'",
                                "SET QUERY_TIMEOUT {millis}",
                                "SET QUERY_TIMEOUT {current}")))
                .isolation(new SessionSetting(
                        "select ISOLATION_LEVEL from INFORMATION_SCHEMA.SESSIONS where SESSION_ID = SESSION_ID()",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {value}",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {current}"))
                .lockWaitTimeout(new SessionSetting(
                        "select LOCK_TIMEOUT()", "SET LOCK_TIMEOUT {millis}", "SET LOCK_TIMEOUT {current}"))
                .migrations(MigrationTexts.H2)
                .errorCodes(ErrorKind.FOREIGN_KEY, 23506)
                .errorCodes(ErrorKind.DEADLOCK, 40001)
                .errorCodes(ErrorKind.SERIALIZATION_FAILURE, 90131)
                .errorCodes(ErrorKind.LOCK_TIMEOUT, 50200)
                .errorCodes(ErrorKind.CONNECTION_LOST, 90007, 90067, 90098, 90121)
                .build();
    }

    static Dialect postgresql() {
        return Dialect.builder("PostgreSQL")
                .drivers("postgresql", "postgres")
                .features(
                        Feature.TRANSACTIONAL_DDL,
                        Feature.FAILURES_ABORT_TRANSACTIONS,
                        Feature.READ_ONLY,
                        Feature.BACKPRESSURE,
                        Feature.UPDATE_RETURNING,
                        Feature.DELETE_RETURNING,
                        Feature.MULTI_ROW_INSERT)
                .syntax(
                        Syntax.ESCAPE_STRINGS,
                        Syntax.UNICODE_STRINGS,
                        Syntax.DOLLAR_QUOTES,
                        Syntax.DOLLAR_TAGS,
                        Syntax.NESTED_COMMENTS,
                        Syntax.QUESTION_OPERATORS,
                        Syntax.ATOMIC_BODIES,
                        Syntax.META_COMMANDS,
                        Syntax.COPY_DATA)
                .quirks(Quirk.MISSES_BACKSLASH_QUOTES)
                .wrapMarked(PostgresqlText::doBlock)
                .transactional(
                        InTransaction.YES, "ALTER SUBSCRIPTION .*(ADD|SET|DROP) PUBLICATION .*REFRESH (FALSE|OFF|0)")
                .transactional(
                        InTransaction.NO,
                        "CREATE (DATABASE|TABLESPACE|SUBSCRIPTION|(UNIQUE )?INDEX CONCURRENTLY)",
                        "DROP (DATABASE|TABLESPACE|SUBSCRIPTION|INDEX CONCURRENTLY)",
                        "ALTER (SYSTEM|DATABASE .*SET TABLESPACE|TABLE .*DETACH PARTITION .*CONCURRENTLY)",
                        "ALTER SUBSCRIPTION .*((REFRESH|ADD|SET|DROP) PUBLICATION|SET .*(FAILOVER|TWO_PHASE))",
                        "REINDEX (VERBOSE |TABLESPACE (\\w+|\"\") |TRUE |FALSE |ON |OFF |[01] )*(SCHEMA|DATABASE|SYSTEM)",
                        "REINDEX .*CONCURRENTLY(?! (FALSE|OFF|0)\\b)",
                        "CLUSTER( VERBOSE( TRUE| ON| 1| FALSE| OFF| 0)?)*$",
                        "(COMMIT|ROLLBACK) PREPARED",
                        "VACUUM",
                        "DISCARD ALL")
                .transactionalBefore(12, InTransaction.NO, "ALTER TYPE .*ADD VALUE")
                .transactional(InTransaction.EITHER, "SET(?! (LOCAL|TRANSACTION|CONSTRAINTS)\\b)", "RESET", "SHOW")
                .marker("$1")
                .maxParameters(65_535)
                .primary("select current_setting('transaction_read_only') = 'off'")
                .lockWaitTimeout(new SessionSetting("", "SET LOCAL lock_timeout = {millis}", ""))
                .advice(List.class, "bind one array instead of a list, = any(:ids) instead of in (:ids)")
                .advice(Duration.class, "bind its toString() and cast it in the statement, :duration::interval")
                .cancel(PostgresqlDriver::cancel)
                // A standby rejects SERIALIZABLE.
                .pipelined(
                        "io.r2dbc.postgresql.PostgresqlConnection",
                        "",
                        IsolationLevel.READ_UNCOMMITTED,
                        IsolationLevel.READ_COMMITTED,
                        IsolationLevel.REPEATABLE_READ)
                .copy(PostgresqlDriver::copy)
                .migrations(MigrationTexts.POSTGRESQL)
                .sqlStates(ErrorKind.DEADLOCK, "40P01")
                .sqlStates(ErrorKind.TRANSACTION_ABORTED, "25P02")
                .sqlStates(ErrorKind.LOCK_TIMEOUT, "55P03")
                .sqlStates(ErrorKind.READ_ONLY_SERVER, "25006")
                .build();
    }

    static Dialect mariadb() {
        return mysqlFamily("MariaDB")
                .drivers("mariadb")
                .features(
                        Feature.READ_ONLY,
                        Feature.DELETE_RETURNING,
                        Feature.CONFLICTS_END_TRANSACTIONS,
                        Feature.MULTI_ROW_INSERT)
                .quirks(Quirk.READS_COLON_NAMES)
                // The driver would take the zone of the JVM, in which an hour a year is ambiguous.
                .encode(Instant.class, LocalDateTime.class, Dialects::utc)
                .encode(OffsetDateTime.class, LocalDateTime.class, moment -> utc(moment.toInstant()))
                .encode(ZonedDateTime.class, LocalDateTime.class, moment -> utc(moment.toInstant()))
                .sessionOption("timezone", "UTC", UTC_NAMES)
                .timeLimit(MAX_STATEMENT_TIME)
                // Not in the driver's high-availability modes, where the statement would run on another session if
                // BEGIN is
                // lost. With an isolation level the driver sends another statement first, and waits for its answer.
                .pipelined("org.mariadb.r2dbc.MariadbConnection", "MariadbConnection{client=Client{")
                .build();
    }

    /* A statement is limited by a KILL: MAX_EXECUTION_TIME limits only selects. */
    static Dialect mysql() {
        return mysqlDriver("MySQL", Feature.RETURNS_KEY_ONLY)
                .drivers("mysql")
                .migrations(MigrationTexts.MYSQL_SERVER)
                .build();
    }

    static Dialect mariadbByMysqlDriver() {
        return mysqlDriver("MariaDB by r2dbc-mysql", Feature.DELETE_RETURNING)
                .timeLimit(MAX_STATEMENT_TIME)
                .migrations(MigrationTexts.MARIADB_BY_MYSQL_DRIVER)
                .build();
    }

    private static Dialect.Builder mysqlDriver(String name, Feature returning) {
        return mysqlFamily(name)
                .features(
                        Feature.READ_ONLY,
                        Feature.BACKPRESSURE,
                        returning,
                        Feature.CONFLICTS_END_TRANSACTIONS,
                        Feature.MULTI_ROW_INSERT)
                .quirks(Quirk.MISSES_BACKSLASH_QUOTES, Quirk.MISTAKES_COMMENTS)
                .encode(UUID.class, String.class, UUID::toString)
                .sessionOption("connectionTimeZone", "+00:00", UTC_NAMES)
                .sessionOption("forceConnectionTimeZoneToSession", "true", "true");
    }

    private static Dialect.Builder mysqlFamily(String name) {
        return Dialect.builder(name)
                .syntax(
                        Syntax.BACKSLASH_STRINGS,
                        Syntax.DOUBLE_QUOTED_STRINGS,
                        Syntax.BACKTICKS,
                        Syntax.HASH_COMMENTS,
                        Syntax.DASHES_NEED_SPACE,
                        Syntax.EXECUTABLE_COMMENTS,
                        Syntax.STORED_PROGRAMS,
                        Syntax.DELIMITER_COMMANDS)
                .identifierQuote('`')
                .multiRowCheck("select @@sql_mode like '%STRICT%'")
                .decode(Duration.class, LocalTime.class, Dialects::timeOfDay)
                .decode(LocalDateTime.class, Instant.class, local -> local.toInstant(UTC))
                .decode(LocalDateTime.class, OffsetDateTime.class, local -> local.atOffset(UTC))
                .decode(LocalDateTime.class, ZonedDateTime.class, local -> local.atZone(UTC))
                // A number, or a word since MariaDB 12.
                .primary("select @@read_only in ('0', 'OFF')")
                .kill(
                        "select concat_ws(' ', @@hostname, @@port, @@server_id, @@datadir, @@pid_file), connection_id()",
                        "KILL QUERY {session}")
                .migrations(MigrationTexts.MYSQL)
                .lockWaitTimeout(new SessionSetting(
                        "select @@innodb_lock_wait_timeout",
                        "set session innodb_lock_wait_timeout = {seconds}",
                        "set session innodb_lock_wait_timeout = {current}"))
                .errorCodes(ErrorKind.DUPLICATE_KEY, 1022, 1062, 1586)
                .errorCodes(ErrorKind.FOREIGN_KEY, 1216, 1217, 1451, 1452)
                .errorCodes(ErrorKind.NOT_NULL, 1048, 1364)
                .errorCodes(ErrorKind.CHECK, 3819, 4025)
                .errorCodes(ErrorKind.SERIALIZATION_FAILURE, 1020)
                .errorCodes(ErrorKind.DEADLOCK, 1213)
                .errorCodes(ErrorKind.LOCK_TIMEOUT, 1205)
                .errorCodes(ErrorKind.CANCELLED, 1317, 1969, 3024)
                .errorCodes(ErrorKind.READ_ONLY_SERVER, ErrorCodes.OPTION_PREVENTS_STATEMENT, 1836)
                .errorCodes(ErrorKind.TRANSACTION_LOST, 1206, 1402, 1613, 1614)
                // r2dbc-mysql drops the SQLSTATE, 08S01 or 08004, of most of them.
                .errorCodes(ErrorKind.CONNECTION_LOST, 1040, 1042, 1043, 1047, 1053, 1077, 1079, 1080, 1081)
                .errorCodes(ErrorKind.CONNECTION_LOST, 1152, 1153, 1154, 1155, 1156, 1157, 1158, 1159, 1160, 1161)
                .errorCodes(ErrorKind.CONNECTION_LOST, 1184, 1927, 2006, 2013, 4031);
    }
}
