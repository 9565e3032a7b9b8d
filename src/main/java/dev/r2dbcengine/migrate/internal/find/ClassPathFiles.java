package dev.r2dbcengine.migrate.internal.find;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.MigrationFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/*
 * Uses the JDK only. ClassGraph would add 700 kB for every user. Nested jars need no code here: Spring Boot's URL
 * handler returns JarURLConnections for them.
 */
/** Lists the files in a directory of the class path, in directories and jars. */
public record ClassPathFiles(ClassLoader loader, Charset encoding) {

    /** The file that replaces the listing if a class path cannot be listed. */
    static final String INDEX = "migrations.index";

    private static final String MANIFEST = JarFile.MANIFEST_NAME;

    public List<MigrationFile> below(String root) throws IOException {
        List<MigrationFile> files = new ArrayList<>();
        List<URL> unlistable = new ArrayList<>();
        for (URL url : urls(root)) {
            if (!addListing(url, files)) {
                unlistable.add(url);
            }
        }
        if (files.isEmpty()) {
            addIndexed(root, files);
        }
        if (files.isEmpty() && !unlistable.isEmpty()) {
            throw new InvalidMigrationException(
                    "The class path entry " + unlistable.get(0) + " cannot be listed. Add a file " + INDEX
                            + " to it when the application is built, with the path of one script on each line",
                    unlistable.get(0).toString());
        }
        if (files.isEmpty() || root.isEmpty()) {
            addFromJarsWithoutDirectories(root, files);
        }
        return files;
    }

    private List<URL> urls(String name) throws IOException {
        return Collections.list(loader.getResources(name));
    }

    private boolean addListing(URL url, List<MigrationFile> files) throws IOException {
        if (url.getProtocol().equals("file")) {
            files.addAll(DirectoryFiles.below(Path.of(uri(url)), encoding));
            return true;
        }
        URLConnection connection = url.openConnection();
        if (!(connection instanceof JarURLConnection jar)) {
            return false;
        }
        String entry = jar.getEntryName();
        addEntries(jar, url, entry == null ? "" : entry, files);
        return true;
    }

    private void addEntries(JarURLConnection connection, URL url, String entry, List<MigrationFile> files)
            throws IOException {
        // A cached one might be older than the file, after a redeployment.
        connection.setUseCaches(false);
        String prefix = entry.isEmpty() || entry.endsWith("/") ? entry : entry + "/";
        try (JarFile jar = connection.getJarFile()) {
            for (ZipEntry found : Collections.list(jar.entries())) {
                if (!found.isDirectory() && found.getName().startsWith(prefix)) {
                    String path = found.getName().substring(prefix.length());
                    files.add(file(url, path));
                }
            }
        }
    }

    private MigrationFile file(URL directory, String path) throws IOException {
        refuseOutside(path, directory);
        URL url = child(directory, path);
        return new MigrationFile(path, url.toString(), encoding, url::openStream);
    }

    /** Resolves a path with the handler of the directory's URL, which only the class loader may know. */
    private static URL child(URL directory, String path) throws IOException {
        String base = directory.toExternalForm();
        return new URL(directory, (base.endsWith("/") ? base : base + "/") + encoded(path));
    }

    private static String encoded(String path) throws IOException {
        try {
            return new URI(null, null, "/" + path, null).getRawPath().substring(1);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static URI uri(URL url) throws IOException {
        try {
            return url.toURI();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static void refuseOutside(String path, URL from) {
        if (path.startsWith("/") || List.of(path.split("[/\\\\]", -1)).contains("..")) {
            throw new InvalidMigrationException(
                    "'" + path + "' in " + from + " leads out of the location. Name its directory as a location", path);
        }
    }

    private void addIndexed(String root, List<MigrationFile> files) throws IOException {
        for (URL index : urls(root.isEmpty() ? INDEX : root + "/" + INDEX)) {
            String text = index.toExternalForm();
            URL directory = new URL(index, text.substring(0, text.length() - INDEX.length()));
            for (String path : lines(index)) {
                refuseUnknown(root.isEmpty() ? path : root + "/" + path, index);
                files.add(file(directory, path));
            }
        }
    }

    private static List<String> lines(URL index) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(index.openStream(), StandardCharsets.UTF_8.newDecoder()))) {
            return reader.lines()
                    .map(String::trim)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        }
    }

    private void refuseUnknown(String name, URL index) {
        if (loader.getResource(name) == null) {
            throw new InvalidMigrationException(
                    index + " names " + name + ", which is not on the class path. Write the index anew", name);
        }
    }

    /** Searches all jars, since some have no entries for directories, and none has one for its root. */
    private void addFromJarsWithoutDirectories(String root, List<MigrationFile> files) throws IOException {
        for (URL manifest : urls(MANIFEST)) {
            if (manifest.openConnection() instanceof JarURLConnection jar) {
                String text = manifest.toExternalForm();
                URL top = new URL(manifest, text.substring(0, text.length() - MANIFEST.length()));
                addEntries(jar, new URL(top, top.toExternalForm() + encoded(root)), root, files);
            }
        }
    }
}
