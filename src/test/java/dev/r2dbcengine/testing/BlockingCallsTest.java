package dev.r2dbcengine.testing;

/** For the tests without a server. */
class BlockingCallsTest extends BlockingCallsContract {}
