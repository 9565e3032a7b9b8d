package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.internal.find.CodeSource;
import java.io.IOException;
import java.util.List;

/**
 * Where migrations come from: a {@link MigrationLocation}, code, or anything else that has files. Its {@code toString} names
 * it in messages.
 *
 * <p>Its methods may block. A runner calls them on a thread that may, for each run anew.
 */
@FunctionalInterface
public interface MigrationSource {

    /**
     * Lists the files: scripts, callbacks, and the settings of both. Those with other names do no harm.
     *
     * @return the files, in any order
     * @throws IOException if they cannot be listed
     */
    List<MigrationFile> files() throws IOException;

    /**
     * The migrations that are code.
     *
     * @return the migrations, in any order; none unless overridden
     */
    default List<Migration> migrations() {
        return List.of();
    }

    /**
     * Migrations that are code.
     *
     * @param migrations the migrations
     * @return a source of these
     */
    static MigrationSource of(Migration... migrations) {
        return new CodeSource(List.of(migrations));
    }
}
