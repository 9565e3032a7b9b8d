package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.ErrorKind;
import dev.r2dbcengine.testing.Server;
import java.util.List;

/** The SQL of a database that the contracts need. */
interface SqlDatabase {

    Server server();

    /** The name of the driver in a URL: a server may have several. */
    String driver();

    /** Types that make the round trip. */
    List<TypeCase<?>> types();

    /** A type of columns that hold a moment. */
    default String moment() {
        return "timestamp(6) with time zone";
    }

    /** The seconds since 1970 of such a column, as the server sees them. */
    default String epoch(String column) {
        return "extract(epoch from " + column + ")";
    }

    /** A parameter with the text of a JSON document. */
    default String json(String parameter) {
        return parameter;
    }

    /** The expectations that only this database has. */
    List<Expected> particular();

    /** A query for the numbers from 1, in a column "n". */
    String numbers(int last);

    /** A statement that runs longer than any timeout of the tests. */
    String slow();

    /** A column definition of a generated key. */
    String generatedKey();

    /** A type for long texts. */
    default String longText() {
        return "text";
    }

    /** Makes lock waits of a connection short. */
    String shortLockWait();

    /** Makes transactions of a connection serializable. */
    String serializable();

    /** The error kind of a conflict of two such transactions. */
    default ErrorKind conflict() {
        return ErrorKind.SERIALIZATION_FAILURE;
    }

    /** Statements that the server refuses, with codes that drivers do not know. */
    List<String> refused();

    /** The number of a session. */
    String session();

    /** Ends what runs on a session. */
    String endStatement(String session);

    /** Ends a session, from another one or, if that is not possible, from itself. */
    String endSession(String session);

    default boolean endsOthersSessions() {
        return true;
    }
}
