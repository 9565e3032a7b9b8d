package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.integration.spring.EngineAutoConfiguration;
import dev.r2dbcengine.testing.FakeServer;
import dev.r2dbcengine.testing.Secrets;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/**
 * Common configuration mistakes on each database: the message says what happened and what to do, in terms of the
 * library's API, of Spring Boot's properties, and of the command line.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FirstDayMistakesIT {

    private static final String PASSWORD = Secrets.MARK + "mistake";
    private static final String LOGIN = "eve:" + PASSWORD + "@";
    private static final String SHORT = "?maxCreateConnectionTime=PT0.2S";

    /** The replacements of {url}, {login}, {size} and {wait} in the advice for a user of each interface. */
    private enum Surface {
        LIBRARY(
                "the URL",
                "user:password@ before the host in the URL, or credentials(…)",
                "Lower maxSize",
                "connectTimeout"),
        SPRING(
                "spring.r2dbc.url",
                "spring.r2dbc.username and spring.r2dbc.password",
                "spring.r2dbc.pool.max-size",
                "r2dbc-engine.migrate.connect-timeout"),
        COMMAND_LINE("--url", "--user, and --ask-password, --password-file", "?maxSize=… in --url", "--wait");

        @SuppressWarnings("ImmutableEnumChecker") // Map.of
        private final Map<String, String> words;

        Surface(String url, String login, String size, String wait) {
            words = Map.of("{url}", url, "{login}", login, "{size}", size, "{wait}", wait);
        }

        String in(String text) {
            String result = text;
            for (Map.Entry<String, String> word : words.entrySet()) {
                result = result.replace(word.getKey(), word.getValue());
            }
            return result;
        }

        String message(String url) {
            return switch (this) {
                case LIBRARY -> failure(ReactiveEngineCache.create().engine(url));
                case SPRING -> spring(url);
                case COMMAND_LINE ->
                    Called.here("info", "--locations", "filesystem:src/test/resources", "--url", url)
                            .err();
            };
        }
    }

    private static String failure(Engine engine) {
        return String.valueOf(engine.open()
                .then(Mono.<String>empty())
                .onErrorResume(error -> Mono.just(String.valueOf(error.getMessage())))
                .block());
    }

    private static String spring(String url) {
        AtomicReference<String> message = new AtomicReference<>("");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(EngineAutoConfiguration.class, R2dbcAutoConfiguration.class))
                // Otherwise the DatabaseClient, which determines the driver, would fail first.
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues("spring.r2dbc.url=" + url)
                .run(context -> message.set(failure(context.getBean(Engine.class))));
        return String.valueOf(message.get());
    }

    /** A mistake, a URL that has it, and the expected parts of the message. */
    private record Mistake(String name, String url, String happened, String advice) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final List<FakeServer> fakes = new ArrayList<>();
    private final List<TestDatabase> databases = new ArrayList<>();

    private TestDatabase fresh(Server server) {
        TestDatabase database = TestDatabase.fresh(server);
        databases.add(database);
        return database;
    }

    private String fake(String driver, FakeServer server, String rest) {
        fakes.add(server);
        return "r2dbc:" + driver + "://" + LOGIN + "127.0.0.1:" + server.port() + "/shop" + rest;
    }

    private static int closedPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    void close() throws IOException {
        for (FakeServer fake : fakes) {
            fake.close();
        }
        databases.forEach(TestDatabase::close);
    }

    Stream<Mistake> mistakes() {
        TestDatabase mariadb = fresh(Server.MARIADB);
        return Stream.of(
                        ofTheUrl(),
                        h2(),
                        postgresql(),
                        Stream.of("mariadb", "mysql")
                                .flatMap(
                                        driver -> Stream.concat(everywhere(driver, mariadb), mariadb(driver, mariadb))))
                .flatMap(all -> all);
    }

    private static Stream<Mistake> ofTheUrl() {
        return Stream.of(
                new Mistake(
                        "no driver of that name",
                        "r2dbc:postgresqll://" + LOGIN + "db/shop",
                        "'postgresqll' is not a known driver",
                        "Correct it in {url}"),
                new Mistake(
                        "port that is no number",
                        "r2dbc:postgresql://" + LOGIN + "db:abc/shop",
                        "is not a port",
                        "Correct {url}"),
                new Mistake(
                        "port that is too high",
                        "r2dbc:mariadb://" + LOGIN + "db:99999/shop",
                        "a number from 1 to 65535",
                        "Correct {url}"),
                new Mistake(
                        "address without brackets",
                        "r2dbc:mysql://" + LOGIN + "::1:3306/shop",
                        "brackets: [::1]:5432",
                        "Correct {url}"),
                new Mistake(
                        "slash in the password",
                        "r2dbc:postgresql://eve:" + PASSWORD + "/x@db/shop",
                        "write / as %2F",
                        "Correct {url}"),
                new Mistake(
                        "wrong escape",
                        "r2dbc:postgresql://eve:" + PASSWORD + "%zz@db/shop",
                        "Malformed escape pair",
                        "Correct {url}"),
                new Mistake(
                        "no slashes",
                        "r2dbc:postgresql:" + LOGIN + "db/shop",
                        "this is not an R2DBC URL",
                        "Correct {url}"),
                new Mistake(
                        "no host",
                        "r2dbc:postgresql:///shop",
                        "no host is named",
                        "Write it into {url}: r2dbc:postgresql://"),
                new Mistake(
                        "password in the query",
                        "r2dbc:postgresql://db/shop?password=" + PASSWORD,
                        "password is an option after the ?",
                        "Correct {url}"));
    }

    private Stream<Mistake> h2() {
        TestDatabase h2 = fresh(Server.H2).keepAlive();
        h2.createUser("EVE", PASSWORD).block();
        return Stream.of(
                new Mistake(
                        "H2: wrong password",
                        h2.url("EVE", PASSWORD + "x"),
                        "refused the login",
                        "Check user and password: {login}"),
                new Mistake(
                        "H2: no protocol",
                        "r2dbc:h2://localhost/shop",
                        "H2 needs a protocol, mem or file",
                        "r2dbc:h2:mem:///shop or r2dbc:h2:file:///./shop into {url}"),
                new Mistake(
                        "H2: protocol of JDBC",
                        "r2dbc:h2:tcp://localhost/shop",
                        "H2 needs a protocol, mem or file",
                        "into {url}"),
                new Mistake(
                        "H2: relative path",
                        "r2dbc:h2:file:///shop",
                        "H2 rejects the text after file:///",
                        "Correct the path or the settings in {url}"),
                new Mistake(
                        "H2: unknown mode",
                        "r2dbc:h2:mem:///x?MODE=Oracel",
                        "H2 rejects the text after file:/// or mem:///",
                        "in {url}"),
                new Mistake(
                        "H2: missing file",
                        "r2dbc:h2:file:///./target/nowhere?IFEXISTS=TRUE",
                        "no database of that name: './target/nowhere'",
                        "at the end of {url}"),
                new Mistake(
                        "H2: INIT that cannot run twice",
                        "r2dbc:h2:mem:///x;INIT=create%20table%20a(b%20int)%5C;create%20table%20c(d%20int)",
                        "H2 failed in the statements of INIT",
                        "create table if not exists"),
                new Mistake(
                        "H2: INIT with the separator of the other form",
                        "r2dbc:h2:mem:///x?INIT=create%20table%20a(b%20int)%5C;create%20table%20c(d%20int)",
                        "H2 failed in the statements of INIT",
                        "by ; (%3B) in ?INIT="));
    }

    /** The mistakes that each server reports alike. */
    private static Stream<Mistake> everywhere(String driver, TestDatabase database) {
        String user = "eve" + database.name() + driver;
        database.createUser(user, PASSWORD).block();
        String login = user + ":" + PASSWORD + "@";
        String at = "127.0.0.1:" + database.port();
        String start = "r2dbc:" + driver + "://";
        return Stream.of(
                new Mistake(
                        driver + ": wrong host",
                        start + login + "nowhere.invalid/shop",
                        "the host name is unknown",
                        "Check the host in {url}"),
                new Mistake(
                        driver + ": wrong port",
                        start + login + "127.0.0.1:" + closedPort() + "/shop",
                        "nothing listens on this port",
                        "are host and port right in {url}"),
                new Mistake(
                        driver + ": no user",
                        start + at + "/" + database.name(),
                        "no user is named",
                        "Set user and password: {login}"),
                new Mistake(
                        driver + ": wrong user",
                        start + "no" + login + at + "/" + database.name(),
                        "refused the login",
                        "Check user and password: {login}"),
                new Mistake(
                        driver + ": wrong password",
                        start + user + ":" + PASSWORD + "x@" + at + "/" + database.name(),
                        "refused the login",
                        "Check user and password: {login}"),
                new Mistake(
                        driver + ": no password",
                        start + user + "@" + at + "/" + database.name(),
                        "requires a password, but none is given",
                        "Set the password: {login}"),
                new Mistake(
                        driver + ": empty password",
                        start + user + ":@" + at + "/" + database.name(),
                        "requires a password, but none is given",
                        "Set the password: {login}"),
                new Mistake(
                        driver + ": no such database",
                        start + database.user() + ":" + database.password() + "@" + at + "/nowhere",
                        "no database of that name: 'nowhere'",
                        "correct the name at the end of {url}"));
    }

    private Stream<Mistake> postgresql() {
        TestDatabase database = fresh(Server.POSTGRESQL);
        String url = database.url();
        String limited = "limited" + database.name();
        database.createUser(limited, PASSWORD).block();
        String locked = "locked" + database.name();
        database.createUser(locked, PASSWORD).block();
        database.execute("alter role \"" + limited + "\" connection limit 0", "alter role \"" + locked + "\" nologin")
                .block();
        return Stream.concat(
                everywhere("postgresql", database),
                Stream.of(
                        new Mistake(
                                "postgresql: TLS that the server lacks",
                                url + "?sslMode=require",
                                "TLS is requested, but the server does not support it",
                                "sslMode from {url}"),
                        new Mistake(
                                "postgresql: r2dbcs without TLS on the server",
                                url.replace("r2dbc:", "r2dbcs:"),
                                "TLS is requested, but the server does not support it",
                                "remove r2dbcs:, ssl and sslMode from {url}"),
                        new Mistake(
                                "postgresql: TLS that the server requires",
                                fake(
                                        "postgresql",
                                        FakeServer.postgresql("28000", "no pg_hba.conf entry for host, no encryption"),
                                        ""),
                                "accepts only connections with TLS",
                                "Add sslMode=require or sslMode=verify-full&sslRootCert=… to {url}"),
                        new Mistake(
                                "postgresql: certificate without TLS",
                                url + "?sslRootCert=/ca.pem",
                                "would ignore 'sslRootCert'",
                                "sslMode=verify-full&sslRootCert=… in {url}"),
                        new Mistake(
                                "postgresql: wrong value of an option",
                                url + "?sslMode=yes",
                                "does not accept the value of an option",
                                "after the ? of {url}"),
                        new Mistake(
                                "postgresql: TLS option of another driver",
                                url + "?useSSL=true",
                                "would ignore 'useSSL' and connect without TLS",
                                "in {url}"),
                        new Mistake(
                                "postgresql: no entry for the host",
                                fake("postgresql", FakeServer.postgresql("28000", "no pg_hba.conf entry for host"), ""),
                                "does not allow this user to connect to this database from this host",
                                "in {url}"),
                        new Mistake(
                                "postgresql: no login",
                                database.url(locked, PASSWORD),
                                "the user may not log in",
                                "another user: {login}"),
                        new Mistake(
                                "postgresql: too many connections",
                                database.url(limited, PASSWORD),
                                "no connection left",
                                "{size}"),
                        new Mistake(
                                "postgresql: starting up",
                                fake(
                                        "postgresql",
                                        FakeServer.postgresql("57P03", "the database system is starting up"),
                                        ""),
                                "the server runs, but accepts no connections at the moment",
                                "migrations wait by {wait}"),
                        new Mistake(
                                "postgresql: option that a proxy refuses",
                                fake(
                                        "postgresql",
                                        FakeServer.postgresql(
                                                "08P01", "unsupported startup parameter: extra_float_digits"),
                                        ""),
                                "refused an option of the connection",
                                "Remove it from {url}"),
                        new Mistake(
                                "postgresql: time zone that is unknown",
                                fake("postgresql", FakeServer.postgresql("22023", "invalid value for parameter"), ""),
                                "refused an option of the connection",
                                "Remove it from {url}"),
                        new Mistake(
                                "postgresql: web server on the port",
                                fake("postgresql", FakeServer.http(), ""),
                                "does not speak the protocol of the driver 'postgresql'",
                                "Check that the port of {url}"),
                        new Mistake(
                                "postgresql: SSH server on the port",
                                fake("postgresql", FakeServer.speakingFirst(), ""),
                                "does not speak the protocol of the driver 'postgresql'",
                                "Check that the port of {url}")));
    }

    private Stream<Mistake> mariadb(String driver, TestDatabase database) {
        String name = database.name();
        String start = "r2dbc:" + driver + "://";
        String locked = "locked" + name + driver;
        String alone = "alone" + name + driver;
        database.createUser(locked, PASSWORD).block();
        database.execute(
                        "alter user '" + locked + "'@'%' account lock",
                        "create user if not exists '" + alone + "'@'%' identified by '" + PASSWORD + "'")
                .block();
        String at = "@127.0.0.1:" + database.port() + "/" + name;
        String url = start + database.user() + ":" + database.password() + at;
        String tls = driver.equals("mariadb") ? "trust" : "required";
        String zone = driver.equals("mariadb") ? "timezone" : "connectionTimeZone";
        String plain = driver.equals("mariadb")
                ? "would ignore 'ssl' and connect without TLS. Write sslMode=verify-full&serverSslCert=… in {url}"
                : "TLS is requested, but the server does not support it";
        return Stream.of(
                new Mistake(driver + ": r2dbcs", url.replace("r2dbc:", "r2dbcs:"), plain, "{url}"),
                new Mistake(driver + ": ssl=true", url + "?ssl=true", plain, "{url}"),
                new Mistake(
                        driver + ": TLS that the server lacks",
                        url + "?sslMode=" + tls,
                        "TLS is requested, but the server does not support it",
                        "sslMode from {url}"),
                new Mistake(
                        driver + ": sslmode in small letters",
                        url + "?sslmode=require",
                        "would ignore 'sslmode' and connect without TLS",
                        "Write sslMode="),
                new Mistake(
                        driver + ": certificate without TLS",
                        url + (driver.equals("mariadb") ? "?serverSslCert=/ca.pem" : "?sslCa=/ca.pem"),
                        "connect without TLS",
                        "in {url}"),
                new Mistake(
                        driver + ": TLS that the server requires",
                        fake(
                                driver,
                                FakeServer.mariadb(3159, "Connections using insecure transport are prohibited"),
                                ""),
                        "accepts only connections with TLS",
                        "Add sslMode=" + tls),
                new Mistake(
                        driver + ": wrong value of an option",
                        url + "?sslMode=yes",
                        "does not accept the value of an option",
                        "after the ? of {url}"),
                new Mistake(
                        driver + ": unknown time zone",
                        url + "?" + zone + "=Mars/Olympus",
                        "has the value 'Mars/Olympus', and must be",
                        "leave the option out"),
                new Mistake(
                        driver + ": no right to the database",
                        start + alone + ":" + PASSWORD + at,
                        "not allowed to use the database '" + name + "'",
                        "at the end of {url}"),
                new Mistake(
                        driver + ": locked account",
                        start + locked + ":" + PASSWORD + at,
                        "the user may not log in",
                        "another user: {login}"),
                new Mistake(
                        driver + ": too many connections",
                        fake(driver, FakeServer.mariadb(1040, "Too many connections"), ""),
                        "no connection left",
                        "{size}"),
                new Mistake(
                        driver + ": host that is not allowed",
                        fake(driver, FakeServer.mariadb(1130, "Host is not allowed"), ""),
                        "accepts no connections from this host",
                        "Allow the host"),
                new Mistake(
                        driver + ": shutting down",
                        fake(driver, FakeServer.mariadb(1053, "Server shutdown in progress"), ""),
                        "accepts no connections at the moment",
                        "migrations wait by {wait}"),
                new Mistake(
                        driver + ": web server on the port",
                        fake(driver, FakeServer.http(), SHORT),
                        "did not answer in time",
                        "is the port of {url} that of such a database"),
                new Mistake(
                        driver + ": SSH server on the port",
                        fake(driver, FakeServer.speakingFirst(), SHORT),
                        "does not speak the protocol of the driver '" + driver + "'",
                        "Check that the port of {url}"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakeIsReportedWithAdviceInTermsOfTheSurface(Mistake mistake) {
        for (Surface surface : Surface.values()) {
            assertThat(surface.message(mistake.url()))
                    .as(surface.name())
                    .contains(surface.in(mistake.happened()), surface.in(mistake.advice()))
                    .doesNotContain(PASSWORD)
                    .doesNotContain(surface == Surface.LIBRARY ? "{" : "the URL");
        }
    }
}
