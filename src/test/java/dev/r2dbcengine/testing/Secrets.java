package dev.r2dbcengine.testing;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Values that the library must never write: each password and bound value of a test that begins with {@link #MARK}, and
 * the credentials of external servers. {@link KeptSecrets} searches for them in all output of a test run.
 */
public final class Secrets {
    /** The prefix of secrets. */
    public static final String MARK = "hush-";

    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();
    private static final Set<String> LEAKS = ConcurrentHashMap.newKeySet();
    private static final int AROUND = 100;

    static {
        KNOWN.add(MARK);
        // In the URLs of many tests.
        KNOWN.add("s3cret");
    }

    private Secrets() {}

    /** Adds a secret. */
    static String keep(String secret) {
        if (!secret.isEmpty()) {
            KNOWN.add(secret);
        }
        return secret;
    }

    /** Removes a secret and the places where it was found. */
    static void forget(String secret) {
        KNOWN.remove(secret);
        LEAKS.removeIf(leak -> leak.contains(secret));
    }

    /** Returns whether a text contains a secret. */
    public static boolean isIn(String text) {
        return KNOWN.stream().anyMatch(text::contains);
    }

    /** Records a text and its place if it contains a secret. */
    static void search(String text, String where) {
        KNOWN.stream()
                .mapToInt(text::indexOf)
                .filter(at -> at >= 0)
                .forEach(at -> LEAKS.add(
                        where + ": " + text.substring(Math.max(0, at - AROUND), Math.min(text.length(), at + AROUND))));
    }

    /** Returns the findings. */
    static List<String> leaks() {
        return List.copyOf(LEAKS);
    }
}
