package dev.r2dbcengine.testing;

/** A call of the {@link FakeDriver}. */
public enum Call {
    /** {@code ConnectionFactory.create()}. */
    CREATE("create"),
    /** {@code Connection.beginTransaction}, with a definition or without; the attributes are its detail. */
    BEGIN("begin"),
    /** {@code Connection.createStatement}: it can only throw, and is not recorded. */
    PREPARE("prepare"),
    /** {@code Statement.execute()}, up to the results; the SQL is its detail. */
    EXECUTE("execute"),
    /** {@code Batch.execute()}, up to the results; its detail is the SQL, joined by "; ". */
    BATCH("batch"),
    /** The rows, counts or segments of one {@code Result}; only its cancellation is recorded. */
    ROWS("rows"),
    COMMIT("commit"),
    ROLLBACK("rollback"),
    SAVEPOINT("savepoint"),
    RELEASE_SAVEPOINT("release savepoint"),
    ROLLBACK_TO_SAVEPOINT("rollback to savepoint"),
    SET_AUTOCOMMIT("set autocommit"),
    SET_ISOLATION("set isolation"),
    SET_LOCK_WAIT_TIMEOUT("set lock wait timeout"),
    SET_STATEMENT_TIMEOUT("set statement timeout"),
    /** {@code Connection.validate}; its detail is "remote" if that is its depth. */
    VALIDATE("validate"),
    CLOSE("close");

    private final String text;

    Call(String text) {
        this.text = text;
    }

    /** Returns the entry in {@link FakeDriver#calls}, with its detail, if it has one. */
    String with(String detail) {
        return detail.isEmpty() ? text : text + " " + detail;
    }
}
