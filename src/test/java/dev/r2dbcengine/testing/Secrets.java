package dev.r2dbcengine.testing;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the library must never write: each password and bound value of a test that begins with {@link #MARK}, and what servers
 * of one's own are entered with. {@link KeptSecrets} looks for them in all that a run of tests makes it write.
 */
public final class Secrets {
    /** Begins what nobody may see. */
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

    /** From now on this must not be seen either. */
    static String keep(String secret) {
        if (!secret.isEmpty()) {
            KNOWN.add(secret);
        }
        return secret;
    }

    /** From now on this may be seen, and need not be told where it was. */
    static void forget(String secret) {
        KNOWN.remove(secret);
        LEAKS.removeIf(leak -> leak.contains(secret));
    }

    /** Whether a text holds a secret. */
    public static boolean isIn(String text) {
        return KNOWN.stream().anyMatch(text::contains);
    }

    /** Remembers what was written where, if it holds a secret. */
    static void look(String text, String where) {
        KNOWN.stream()
                .mapToInt(text::indexOf)
                .filter(at -> at >= 0)
                .forEach(at -> LEAKS.add(
                        where + ": " + text.substring(Math.max(0, at - AROUND), Math.min(text.length(), at + AROUND))));
    }

    /** What was seen so far. */
    static List<String> leaks() {
        return List.copyOf(LEAKS);
    }
}
