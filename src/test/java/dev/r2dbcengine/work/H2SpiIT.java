package dev.r2dbcengine.work;

class H2SpiIT extends SpiContract {
    H2SpiIT() {
        super(TestedDriver.H2);
    }
}
