package dev.r2dbcengine.migrate;

import java.util.List;

/** Migrations that are code, and no files. */
record CodeSource(List<Migration> migrations) implements MigrationSource {

    @Override
    public List<MigrationFile> files() {
        return List.of();
    }

    @Override
    public String toString() {
        return "code";
    }
}
