package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.internal.find.CodeSource;
import java.io.IOException;
import java.util.List;

/**
 * A source of migrations: a {@link MigrationLocation}, code, or any other supplier of files. Messages contain its
 * {@code toString}.
 *
 * <p>Its methods may block. A runner calls them in each run, on a thread where that is allowed.
 */
@FunctionalInterface
public interface MigrationSource {

    /**
     * Lists the files: scripts, callbacks, and the settings of both. Files with other names are ignored.
     *
     * @return the files, in any order
     * @throws IOException if they cannot be listed
     */
    List<MigrationFile> files() throws IOException;

    /**
     * Returns the migrations in code.
     *
     * @return the migrations, in any order (default: none)
     */
    default List<Migration> migrations() {
        return List.of();
    }

    /**
     * Returns a source of migrations in code.
     *
     * @param migrations the migrations
     * @return the source
     */
    static MigrationSource of(Migration... migrations) {
        return new CodeSource(List.of(migrations));
    }
}
