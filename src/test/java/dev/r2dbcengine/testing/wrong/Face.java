package dev.r2dbcengine.testing.wrong;

import dev.r2dbcengine.testing.wrong.internal.pool.Inner;
import dev.r2dbcengine.testing.wrong.migrate.internal.run.Run;
import java.util.List;

/** Shows an internal type to users, and imports an internal package of another package. */
public class Face {
    Run imports = new Run();

    /** In a type argument, too. */
    protected List<? extends Inner> all() {
        return List.of();
    }
}
