package dev.r2dbcengine.testing;

/** In the run of the tests with real databases. */
class BlockingCallsIT extends BlockingCallsContract {}
