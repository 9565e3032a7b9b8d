package dev.r2dbcengine.sql;

class H2BatchIT extends BatchContract {
    H2BatchIT() {
        super(new H2Sql());
    }
}
