package dev.r2dbcengine.testing;

/** In the run of the tests without a server. */
class BlockingCallsTest extends BlockingCallsContract {}
