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
 * A place that is searched for migrations, with all that lies below it, by Flyway's rules.
 *
 * <ul>
 *   <li>{@code classpath:db/migration}, or without the prefix: directories and jars of the class path, jars inside jars
 *       among them. Where a class path cannot be listed, as in a native image, the file {@code migrations.index} in the
 *       location is read instead: one path below the location on each line, with {@code /}, in UTF-8; empty lines and
 *       those that begin with {@code #} say nothing. Write it when the application is built.
 *   <li>{@code filesystem:/opt/migrations}: a directory; a relative one counts from the working directory.
 * </ul>
 *
 * <p>In the path, {@code ?} stands for one character, {@code *} for some, {@code **} for any directories: none of them
 * crosses a {@code /} but the last. When the path ends in a pattern for directories, scripts are named from below these, else
 * from the directory before the first wildcard.
 *
 * <p>Locations may overlap: a script that several of them find is taken once, named from the first of them in alphabetical
 * order. So is a copy with the same name below its location and the same checksum.
 *
 * <p>Hidden directories are skipped. A symbolic link that leads out of the location is refused, and so is an index that does.
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
     * Reads a location. Scripts are in UTF-8, and the class path is that of the thread, unless set otherwise.
     *
     * @param descriptor such as {@code classpath:db/migration} or {@code filesystem:migrations}
     * @return the location
     * @throws IllegalArgumentException if the prefix is none of the two
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

    /** What is meant for another tool may be a URL with a password. */
    private static String withoutLogin(String text) {
        int at = text.lastIndexOf('@');
        return at < 0 ? text : text.substring(0, text.indexOf(':') + 1) + "…" + text.substring(at);
    }

    /**
     * The location, with another encoding.
     *
     * @param charset of scripts that do not say theirs in their {@code .conf}
     * @return a new location
     */
    public MigrationLocation encoding(Charset charset) {
        return new MigrationLocation(descriptor, pattern, charset, loader);
    }

    /**
     * The location, on another class path.
     *
     * @param other whose resources are searched
     * @return a new location
     */
    public MigrationLocation classLoader(ClassLoader other) {
        return new MigrationLocation(descriptor, pattern, encoding, other);
    }

    /**
     * Lists the files. It blocks.
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
