package dev.r2dbcengine.migrate;

import java.io.IOException;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Files for tests: a directory, which can be packed. */
public record MigrationTree(Path root) {

    public MigrationTree write(String path, String text, Charset charset) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text, charset);
        return this;
    }

    public MigrationTree write(String path, String text) throws IOException {
        return write(path, text, StandardCharsets.UTF_8);
    }

    /** Puts all that lies in a directory, of any file system, below a path. */
    void copy(Path from, String path) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = root.resolve(path).resolve(from.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }

    /** A class path that is this directory. */
    public URLClassLoader classPath() throws MalformedURLException {
        return classPath(root);
    }

    public static URLClassLoader classPath(Path... entries) throws MalformedURLException {
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries[i].toUri().toURL();
        }
        return new URLClassLoader(urls, MigrationTree.class.getClassLoader());
    }

    /** All of it, in a jar, with entries for directories or without. */
    public Path jar(Path jar, boolean directories) throws IOException {
        if (!Files.exists(root.resolve(JarFile.MANIFEST_NAME))) {
            write(JarFile.MANIFEST_NAME, "Manifest-Version: 1.0\n\n");
        }
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Path path : paths()) {
                if (!Files.isDirectory(path)) {
                    put(zip, name(path), Files.readAllBytes(path));
                } else if (directories && !path.equals(root)) {
                    put(zip, name(path) + "/", new byte[0]);
                }
            }
        }
        return jar;
    }

    /** Not compressed, as jars in jars must be. */
    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        CRC32 sum = new CRC32();
        sum.update(content);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(content.length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
    }

    private List<Path> paths() throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return List.copyOf(new TreeSet<>(paths.toList()));
        }
    }

    private String name(Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }
}
