package dev.r2dbcengine.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.h2.util.json.JSONObject;
import org.h2.util.json.JSONStringSource;
import org.h2.util.json.JSONValueTarget;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call of the command line.
 *
 * @param exitCode the exit code
 * @param out the standard output
 * @param err the standard error
 */
record Called(int exitCode, String out, String err) {

    /** Runs a command in this JVM. */
    static Called here(String... args) {
        return from(Map.of(), false, args);
    }

    /** Runs a command in this JVM with environment variables. */
    static Called from(Map<String, String> environment, boolean terminal, String... args) {
        return run(environment, terminal, null, args);
    }

    /** Runs a command in this JVM on a terminal where a password is typed. */
    static Called typing(String password, String... args) {
        return run(Map.of(), true, password, args);
    }

    private static Called run(
            Map<String, String> environment, boolean terminal, @Nullable String password, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Shell shell = shell(environment, terminal, StandardCharsets.UTF_8, out, err, password);
        return new Called(Main.run(shell, args), out.toString(), err.toString());
    }

    static Shell shell(
            Map<String, String> environment,
            boolean terminal,
            Charset charset,
            StringWriter out,
            StringWriter err,
            @Nullable String password) {
        return new Shell(
                environment,
                terminal,
                charset,
                new PrintWriter(out),
                new PrintWriter(err),
                () -> Optional.ofNullable(password));
    }

    List<String> lines() {
        return out.lines().toList();
    }

    List<String> errors() {
        return err.lines().toList();
    }

    /** Parses the standard output with H2's parser, which accepts exactly one value. */
    Parsed json() {
        return new Parsed(JSONStringSource.parse(out, new JSONValueTarget()));
    }

    /** Parses the standard output as an object. */
    JSONObject object() {
        return (JSONObject) json().value();
    }
}
