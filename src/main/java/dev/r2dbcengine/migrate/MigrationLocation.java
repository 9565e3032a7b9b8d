package dev.r2dbcengine.migrate;

import dev.r2dbcengine.migrate.internal.find.ClassPathFiles;
import dev.r2dbcengine.migrate.internal.find.DirectoryFiles;
import dev.r2dbcengine.migrate.internal.find.LocationPattern;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is searched recursively for migrations, by Flyway's rules.
 *
 * <ul>
 *   <li>{@code classpath:db/migration}, or without the prefix: directories and jars of the class path, including nested
 *       jars. If a class path cannot be listed, as in a native image, the file {@code migrations.index} in the location
 *       replaces the listing: one path below the location on each line, with {@code /}, in UTF-8; empty lines and those
 *       that begin with {@code #} are ignored. Write it when the application is built.
 *   <li>{@code filesystem:/opt/migrations}: a directory; a relative path starts at the working directory.
 * </ul>
 *
 * <p>In the path, {@code ?} matches one character, {@code *} any characters and {@code **} any directories; only the
 * last crosses a {@code /}. If the path ends in a pattern for directories, the names of scripts are relative to the
 * matched directories, otherwise to the directory before the first wildcard.
 *
 * <p>Locations may overlap: a script in several of them is found once, with a name relative to the first location in
 * alphabetical order. So is a copy with the same name below its location and the same checksum.
 *
 * <p>Hidden directories are skipped. A symbolic link or an index entry that leads out of the location is refused.
 *
 * <p>An immutable value. Nothing is read before {@link #files()}.
 */
public final class MigrationLocation implements MigrationSource {

    private static final String CLASSPATH = "classpath:";
    private static final String FILESYSTEM = "filesystem:";

    private final String descriptor;
    private final LocationPattern pattern;
    private final Charset encoding;
    private final @Nullable ClassLoader loader;

    private MigrationLocation(
            String descriptor, LocationPattern pattern, Charset encoding, @Nullable ClassLoader loader) {
        this.descriptor = descriptor;
        this.pattern = pattern;
        this.encoding = encoding;
        this.loader = loader;
    }

    /**
     * Returns a location, with scripts in UTF-8 and the context class loader of the thread as the class path.
     *
     * @param descriptor the location, such as {@code classpath:db/migration} or {@code filesystem:migrations}
     * @return the location
     * @throws IllegalArgumentException if it has another prefix
     */
    public static MigrationLocation of(String descriptor) {
        String text = descriptor.trim();
        if (text.startsWith(FILESYSTEM)) {
            String path = text.substring(FILESYSTEM.length());
            return new MigrationLocation(text, LocationPattern.of(path), StandardCharsets.UTF_8, null);
        }
        String path = text.startsWith(CLASSPATH) ? text.substring(CLASSPATH.length()) : text;
        if (path.contains(":")) {
            throw new IllegalArgumentException("'" + withoutLogin(text) + "' is no location: write " + CLASSPATH
                    + "... or " + FILESYSTEM + "..., or give a MigrationSource of your own");
        }
        LocationPattern pattern = LocationPattern.of(path.startsWith("/") ? path.substring(1) : path);
        return new MigrationLocation(CLASSPATH + path, pattern, StandardCharsets.UTF_8, null);
    }

    /** Hides a login: a location for another tool may be a URL with a password. */
    private static String withoutLogin(String text) {
        int at = text.lastIndexOf('@');
        return at < 0 ? text : text.substring(0, text.indexOf(':') + 1) + "…" + text.substring(at);
    }

    /**
     * Returns this location with another encoding.
     *
     * @param charset the encoding of scripts whose {@code .conf} does not name one
     * @return a new location
     */
    public MigrationLocation encoding(Charset charset) {
        return new MigrationLocation(descriptor, pattern, charset, loader);
    }

    /**
     * Returns this location on another class path.
     *
     * @param other the class loader whose resources are searched
     * @return a new location
     */
    public MigrationLocation classLoader(ClassLoader other) {
        return new MigrationLocation(descriptor, pattern, encoding, other);
    }

    /**
     * Lists the files. Blocks.
     *
     * @return the files; none if the location does not exist
     * @throws IOException if the location cannot be read
     * @throws InvalidMigrationException if a file leads out of the location, or the class path cannot be listed
     */
    @Override
    public List<MigrationFile> files() throws IOException {
        return all().stream()
                .flatMap(file -> pattern.script(file.script()).map(file::named).stream())
                .toList();
    }

    private List<MigrationFile> all() throws IOException {
        return isDirectory()
                ? DirectoryFiles.below(Path.of(pattern.root()), encoding)
                : new ClassPathFiles(classPath(), encoding).below(pattern.root());
    }

    private boolean isDirectory() {
        return descriptor.startsWith(FILESYSTEM);
    }

    private ClassLoader classPath() {
        return Optional.ofNullable(loader)
                .or(() -> Optional.ofNullable(Thread.currentThread().getContextClassLoader()))
                .orElseGet(() -> Objects.requireNonNull(MigrationLocation.class.getClassLoader()));
    }

    /**
     * Returns whether this location is sure to contain each file of another one.
     *
     * @param other a location
     * @return false also if that cannot be known, as with wildcards
     */
    public boolean covers(MigrationLocation other) {
        return pattern.isPlain()
                && other.pattern.isPlain()
                && !other.pattern.root().contains("..")
                && isDirectory() == other.isDirectory()
                && Objects.equals(loader, other.loader)
                && (other.pattern.root() + "/").startsWith(pattern.root() + "/");
    }

    @Override
    public String toString() {
        return descriptor;
    }
}
