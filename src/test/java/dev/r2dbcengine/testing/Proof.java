package dev.r2dbcengine.testing;

/** How much is to be shown: a little in each build, the full figure with the profile {@code proof}. */
public final class Proof {
    private Proof() {}

    /** The first figure in each build, the second with {@code -Pproof}. */
    public static int rounds(int inShort, int inFull) {
        return Boolean.getBoolean("proof") ? inFull : inShort;
    }

    /** Prints what was measured, with {@code -Pproof}. */
    public static void figure(String text) {
        if (Boolean.getBoolean("proof")) {
            System.out.println(text);
        }
    }
}
