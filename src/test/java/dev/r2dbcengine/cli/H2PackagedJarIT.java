package dev.r2dbcengine.cli;

import java.util.Map;

class H2PackagedJarIT extends PackagedJarContract {

    @Override
    Map<String, String> environment() {
        return Map.of("R2E_URL", "r2dbc:h2:file:///" + directory.resolve("shop"));
    }

    @Override
    String afterFailure() {
        return "FAILED";
    }
}
