package dev.r2dbcengine.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The environment of the process: variables, terminal and outputs.
 *
 * @param environment the environment variables
 * @param terminal whether the output is a terminal
 * @param charset of the output
 * @param out the standard output, for results
 * @param err the standard error, for progress and errors
 * @param password prompts for a password without echo; empty without a terminal
 */
record Shell(
        Map<String, String> environment,
        boolean terminal,
        Charset charset,
        PrintWriter out,
        PrintWriter err,
        Supplier<Optional<String>> password) {

    static final String COLUMNS = "COLUMNS";

    private static final int WIDTH = 80;
    private static final int MIN_WIDTH = 20;

    @SuppressWarnings({"SystemConsoleNull", "DefaultCharset"}) // isTerminal is called; the terminal's charset is meant
    static Shell system() {
        Console console = System.console();
        return new Shell(
                System.getenv(),
                console != null && isTerminal(console),
                console == null ? Charset.defaultCharset() : console.charset(),
                new PrintWriter(System.out),
                new PrintWriter(System.err, true),
                () -> Optional.ofNullable(console).map(Shell::readPassword).map(String::new));
    }

    private static char[] readPassword(Console console) {
        return console.readPassword("Password: ");
    }

    /** Since Java 22, a console exists without a terminal too, which Console.isTerminal() detects. */
    private static boolean isTerminal(Console console) {
        try {
            return Console.class.getMethod("isTerminal").invoke(console).equals(true);
        } catch (ReflectiveOperationException before22) {
            return true;
        }
    }

    boolean colours() {
        return terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !Objects.equals(environment.get("TERM"), "dumb");
    }

    String coloured(Colour colour, String text) {
        return colours() ? colour.around(text) : text;
    }

    /** Returns the marker of a truncated text. */
    String ellipsis() {
        return charset.newEncoder().canEncode('…') ? "…" : "..";
    }

    int width() {
        String columns = environment.getOrDefault(COLUMNS, "");
        if (columns.matches("[1-9]\\d{0,3}")) {
            return Math.max(MIN_WIDTH, Integer.parseInt(columns));
        }
        return terminal ? CommandSpec.create().usageMessage().autoWidth(true).width() : WIDTH;
    }
}
