package dev.r2dbcengine.sql;

class H2ErrorKindIT extends ErrorKindContract {
    H2ErrorKindIT() {
        super(new H2Sql());
    }
}
