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
 * Who calls, and from where.
 *
 * @param environment its variables
 * @param terminal whether somebody looks at what is printed
 * @param charset of what is printed
 * @param out for results
 * @param err for what happens on the way, and for errors
 * @param password asks for one, without an echo; empty when there is nobody to be asked
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
    private static final int NARROWEST = 20;

    @SuppressWarnings({"SystemConsoleNull", "DefaultCharset"}) // asked below; that of the caller's terminal is meant
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

    /** From Java 22 on there is a console without a terminal too, and it can be asked. */
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

    /** Of what is longer than its place. */
    String ellipsis() {
        return charset.newEncoder().canEncode('…') ? "…" : "..";
    }

    int width() {
        String columns = environment.getOrDefault(COLUMNS, "");
        if (columns.matches("[1-9]\\d{0,3}")) {
            return Math.max(NARROWEST, Integer.parseInt(columns));
        }
        return terminal ? CommandSpec.create().usageMessage().autoWidth(true).width() : WIDTH;
    }
}
