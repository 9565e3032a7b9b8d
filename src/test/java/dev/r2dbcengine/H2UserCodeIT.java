package dev.r2dbcengine;

import dev.r2dbcengine.testing.Server;
import java.util.EnumSet;

class H2UserCodeIT extends UserCodeContract {
    H2UserCodeIT() {
        super(Server.H2, EnumSet.allOf(Conduct.class));
    }
}
