package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No malformed URL makes a way into the library show its password: in a result, a cause of an exception, or a log line. */
public interface MalformedUrlContract {

    /** With the secrets within; each begins with letters, since digits behind a host are a port. */
    List<String> LOGINS = List.of(
            "ada:hush-a@",
            "ada:hush-a/hush-b@",
            "ada:hush-a?hush-b@",
            "ada:hush-a#hush-b@",
            "ada:hush-a@hush-b@",
            "ada:hush-a:hush-b@",
            "ada:hush-%zz@",
            "ada:hush-%@",
            "ada:hush-a hush-b@",
            "ada:hush-a\\hush-b@",
            "ada:hush-a+b@",
            "ada:hush-a&x=hush-b@",
            "ada:hush-a;x=hush-b@",
            "ada:hush-a[hush-b@",
            "ada:hush-a?x=hush-b@",
            "ada:hush-a\nhush-b@",
            ":hush-a@",
            "ada:hush-a",
            "ada:hush-a/?#hush-b@",
            "ada:hush-a\u0001@");

    /** How URLs begin, most of them wrong. */
    List<String> STARTS = List.of(
            "r2dbc:postgresql://",
            "r2dbcs:postgresql://",
            "r2dbc:mariadb://",
            "r2dbcs:mariadb://",
            "r2dbc:mysql://",
            "r2dbc:h2:mem://",
            "r2dbc:pool:postgresql://",
            "r2dbc:nosuch://",
            "r2dbc:postgresql:",
            "r2dbc:postgresql:/",
            "r2dbc://",
            "r2dbc::",
            "jdbc:postgresql://",
            "jdbc:mariadb://",
            "jdbc:h2:mem:",
            "postgresql://",
            "http://",
            "",
            "r2dbc:mariadb:sequential://",
            "R2DBC:postgresql://");

    /** Hosts at which nothing answers. */
    List<String> HOSTS = List.of("127.0.0.1:1", "127.0.0.1:abc", "127.0.0.1:99999", "::1:1", "[::1]:1", "", "%zz:1");

    /** How URLs end. */
    List<String> ENDS = List.of(
            "/shop",
            "",
            "/",
            "/shop?x=%zz",
            "/shop?password=hush-c",
            "/shop&password=hush-c",
            "/shop?sslPassword=hush-c",
            "/shop;PASSWORD=hush-c",
            "?password=hush-c",
            "/shop?maxSize=abc",
            "/shop?sslMode=hush&ssl=true",
            "#hush-c");

    /** Opens what the URL names, and returns all that a reader sees. */
    String shown(String url);

    /** How many URLs are tried. */
    default int rounds() {
        return Proof.rounds(60, 1_250);
    }

    /** The text of an exception with all causes and suppressed ones, as a log writes it. */
    static String text(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    @Test
    default void malformedUrlNeverShowsItsPassword() {
        Random random = new Random(42);
        for (int i = 0; i < rounds(); i++) {
            String url = any(random, STARTS) + any(random, LOGINS) + any(random, HOSTS) + any(random, ENDS);
            try (CapturedLogs logs = CapturedLogs.of("ROOT")) {
                String seen = shown(url)
                        + logs.events().stream().map(MalformedUrlContract::text).collect(Collectors.joining("\n"));
                assertThat(seen).as(RandomText.literal(url)).doesNotContain("hush-");
            }
        }
    }

    private static String any(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static String text(ILoggingEvent event) {
        Stream<String> thrown = Stream.iterate(event.getThrowableProxy(), Objects::nonNull, IThrowableProxy::getCause)
                .map(proxy -> String.valueOf(proxy.getMessage()));
        return event.getLevel().isGreaterOrEqual(Level.INFO)
                ? event.getFormattedMessage() + thrown.collect(Collectors.joining())
                : "";
    }
}
