package dev.r2dbcengine.work;

class H2OtherLibrariesIT extends OtherLibrariesContract {
    H2OtherLibrariesIT() {
        super(TestedDriver.H2);
    }
}
