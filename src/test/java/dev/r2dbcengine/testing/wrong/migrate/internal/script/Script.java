package dev.r2dbcengine.testing.wrong.migrate.internal.script;

import dev.r2dbcengine.testing.wrong.migrate.internal.run.Run;

/** Imports an internal package above its own. */
public final class Script {
    Run imports = new Run();
}
