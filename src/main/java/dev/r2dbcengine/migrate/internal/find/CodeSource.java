package dev.r2dbcengine.migrate.internal.find;

import dev.r2dbcengine.migrate.Migration;
import dev.r2dbcengine.migrate.MigrationFile;
import dev.r2dbcengine.migrate.MigrationSource;
import java.util.List;

/** A source of migrations in code, without files. */
public record CodeSource(List<Migration> migrations) implements MigrationSource {

    @Override
    public List<MigrationFile> files() {
        return List.of();
    }

    @Override
    public String toString() {
        return "code";
    }
}
