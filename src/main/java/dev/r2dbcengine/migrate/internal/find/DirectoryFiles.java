package dev.r2dbcengine.migrate.internal.find;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationFile;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Lists the files below a directory. Follows links that stay below it, as in volumes that Kubernetes mounts. */
public final class DirectoryFiles extends SimpleFileVisitor<Path> {

    private final Path root;
    private final Path realRoot;
    private final Charset encoding;
    private final boolean follows;
    private final List<MigrationFile> files = new ArrayList<>();
    private boolean hasLinks;

    private DirectoryFiles(Path root, Charset encoding, boolean follows) throws IOException {
        this.root = root;
        this.realRoot = root.toRealPath();
        this.encoding = encoding;
        this.follows = follows;
    }

    public static List<MigrationFile> below(Path root, Charset encoding) throws IOException {
        if (!Files.exists(root)) {
            return List.of();
        }
        if (!Files.isDirectory(root)) {
            throw new InvalidMigrationException(
                    root.toAbsolutePath() + " is no directory. Name the directory that holds the migrations",
                    root.toString());
        }
        DirectoryFiles found = walk(root, encoding, false);
        return found.hasLinks ? walk(root, encoding, true).files : found.files;
    }

    /*
     * A walk that follows links does not report which files are links, so each must be checked; only if there is one.
     */
    private static DirectoryFiles walk(Path root, Charset encoding, boolean follows) throws IOException {
        DirectoryFiles found = new DirectoryFiles(root, encoding, follows);
        Set<FileVisitOption> options = follows ? EnumSet.of(FileVisitOption.FOLLOW_LINKS) : Set.of();
        Files.walkFileTree(root, options, Integer.MAX_VALUE, found);
        return found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
        if (!directory.equals(root) && Files.isHidden(directory)) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        refuseOutside(directory);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (!follows && attributes.isSymbolicLink()) {
            hasLinks = true;
            return FileVisitResult.TERMINATE;
        }
        if (follows && Files.isSymbolicLink(file)) {
            refuseOutside(file);
        }
        refuseEndless(file, attributes);
        String path =
                root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
        files.add(
                new MigrationFile(path, file.toAbsolutePath().toString(), encoding, () -> Files.newInputStream(file)));
        return FileVisitResult.CONTINUE;
    }

    /** Rejects pipes, whose opening blocks until a writer opens them, and devices, which may never end. */
    private static void refuseEndless(Path file, BasicFileAttributes attributes) {
        if (attributes.isOther()) {
            throw new InvalidMigrationException(
                    file + " is neither a file nor a directory. Move it out of the location", file.toString());
        }
    }

    private void refuseOutside(Path path) throws IOException {
        if (!path.toRealPath().startsWith(realRoot)) {
            throw new InvalidMigrationException(
                    path + " leads to " + path.toRealPath() + ", which is outside of the location " + root
                            + ". Name that directory as a location of its own",
                    path.toString());
        }
    }
}
