package dev.r2dbcengine.integration.junit;

import dev.r2dbcengine.testing.MalformedUrlContract;
import java.util.function.UnaryOperator;

class MalformedServerUrlTest implements MalformedUrlContract {

    @Override
    public String shown(String url) {
        try {
            OwnDatabase.open("shop", "shop", new ServerDatabases(url), UnaryOperator.identity())
                    .close();
            return "";
        } catch (RuntimeException failure) {
            return MalformedUrlContract.text(failure);
        }
    }
}
