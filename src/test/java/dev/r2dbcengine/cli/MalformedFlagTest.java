package dev.r2dbcengine.cli;

import dev.r2dbcengine.testing.MalformedUrlContract;

class MalformedFlagTest implements MalformedUrlContract {

    @Override
    public String shown(String url) {
        Called called = Called.here("info", "--verbose", "--locations", "filesystem:src", "--url", url);
        return called.out() + called.err();
    }
}
