package dev.r2dbcengine.cli;

/** The colors of the output, as ECMA-48 escape codes. */
enum Colour {
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    FAINT("2");

    private final String code;

    Colour(String code) {
        this.code = code;
    }

    String around(String text) {
        return "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
