package dev.r2dbcengine.testing;

/** The number of rounds: few in each build, all with the profile {@code proof}. */
public final class Proof {
    private Proof() {}

    /** Returns the first number in each build, the second with {@code -Pproof}. */
    public static int rounds(int inShort, int inFull) {
        return Boolean.getBoolean("proof") ? inFull : inShort;
    }

    /** Prints a result, with {@code -Pproof}. */
    public static void figure(String text) {
        if (Boolean.getBoolean("proof")) {
            System.out.println(text);
        }
    }
}
