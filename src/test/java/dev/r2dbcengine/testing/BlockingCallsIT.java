package dev.r2dbcengine.testing;

/** For the tests with real databases. */
class BlockingCallsIT extends BlockingCallsContract {}
