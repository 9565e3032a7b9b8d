package dev.r2dbcengine.sql;

class H2HostileValuesIT extends HostileValuesContract {
    H2HostileValuesIT() {
        super(new H2Sql());
    }
}
