package dev.r2dbcengine.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.internal.url.EngineUrl;
import dev.r2dbcengine.internal.url.HostList;
import dev.r2dbcengine.testing.Call;
import dev.r2dbcengine.testing.FakeDriver;
import dev.r2dbcengine.testing.FakeRow;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Three hosts a, b and c, which are fake drivers. */
class HostChooserTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final FakeDriver a = new FakeDriver();
    private final FakeDriver b = new FakeDriver();
    private final FakeDriver c = new FakeDriver();
    private final List<Connection> open = new CopyOnWriteArrayList<>();
    private final RuntimeException refused = new R2dbcNonTransientResourceException("refused", "08001");

    private ConnectionFactory hosts(String query, Duration retryInterval) {
        ConnectionFactoryOptions options = EngineUrl.parse("r2dbc:postgresql://a,b,c/shop" + query, "unnamed")
                .options();
        HostList list = Objects.requireNonNull(HostList.of(options));
        return new HostChooser(list, Dialect.POSTGRESQL, LIMIT, retryInterval)
                .factory(options, host -> driver(String.valueOf(host.getValue(ConnectionFactoryOptions.HOST))));
    }

    private FakeDriver driver(String host) {
        return host.equals("a") ? a : host.equals("b") ? b : c;
    }

    private void roles(boolean primaryA, boolean primaryB, boolean primaryC) {
        role(a, primaryA);
        role(b, primaryB);
        role(c, primaryC);
    }

    private static void role(FakeDriver host, boolean primary) {
        host.answer(Dialect.POSTGRESQL.primary(), FakeRow.of("primary", primary));
    }

    /** Connects, and returns the numbers of connections that a, b and c have created. */
    private List<Integer> connect(ConnectionFactory hosts) {
        StepVerifier.withVirtualTime(() -> Mono.<Connection>fromDirect(hosts.create()))
                .thenAwait(LONG)
                .assertNext(open::add)
                .expectComplete()
                .verify(LONG);
        return List.of(a.createdConnections(), b.createdConnections(), c.createdConnections());
    }

    private Throwable failure(ConnectionFactory hosts) {
        Throwable[] failure = new Throwable[1];
        StepVerifier.withVirtualTime(hosts::create)
                .thenAwait(LONG)
                .expectErrorSatisfies(e -> failure[0] = e)
                .verify(LONG);
        return failure[0];
    }

    @AfterEach
    void onlyConnectionsInUseAreOpen() {
        assertThat(a.openConnections() + b.openConnections() + c.openConnections())
                .isEqualTo(open.size());
        assertThat(List.of(a, b, c))
                .flatExtracting(FakeDriver::violations)
                .allMatch(call -> call.contains("close during"));
    }

    @Test
    void firstHostIsUsed() {
        roles(true, true, true);
        ConnectionFactory hosts = hosts("", LONG);

        assertThat(connect(hosts)).containsExactly(1, 0, 0);
        assertThat(connect(hosts)).containsExactly(2, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "primary, false, true, false, 1 1 0",
        "primary, false, false, true, 1 1 1",
        "secondary, true, false, false, 1 1 0",
        "any, false, false, false, 1 0 0",
        "preferPrimary, false, false, true, 1 1 1",
        "preferPrimary, false, false, false, 2 1 1",
        "preferSecondary, true, true, true, 2 1 1",
        "preferSecondary, true, false, true, 1 1 0"
    })
    void hostOfTargetIsUsed(String target, boolean roleA, boolean roleB, boolean roleC, String created) {
        roles(roleA, roleB, roleC);

        assertThat(connect(hosts("?targetServerType=" + target, LONG)))
                .hasToString("[" + created.replace(" ", ", ") + "]");
    }

    @Test
    void silentHostIsPassedOverAndTriedLast() {
        roles(true, true, true);
        a.on(Call.CREATE).neverAnswers();
        ConnectionFactory hosts = hosts("", LONG);

        assertThat(connect(hosts)).containsExactly(0, 1, 0);
        a.behaveOrdinarily();
        assertThat(connect(hosts)).containsExactly(0, 2, 0);
    }

    @Test
    void hostThatAcceptsAndNeverReportsItsRoleIsPassedOver() {
        roles(true, true, true);
        a.on(Call.EXECUTE).neverAnswers();

        assertThat(connect(hosts("", LONG))).containsExactly(1, 1, 0);
    }

    @Test
    void refusingHostIsTriedAgainAfterInterval() {
        roles(true, true, true);
        a.on(Call.CREATE).times(1).fails(refused);
        ConnectionFactory hosts = hosts("", Duration.ZERO);

        assertThat(connect(hosts)).containsExactly(0, 1, 0);
        assertThat(connect(hosts)).containsExactly(1, 1, 0);
    }

    @Test
    void hostThatDoesNotKnowItsRoleIsPassedOver() {
        roles(true, true, true);
        a.on(Call.EXECUTE).fails(new R2dbcNonTransientResourceException("starting up", "57P03"));

        assertThat(connect(hosts("", LONG))).containsExactly(1, 1, 0);
    }

    @Test
    void demotedPrimaryIsPassedOver() {
        roles(true, false, false);
        ConnectionFactory hosts = hosts("?targetServerType=primary", LONG);
        connect(hosts);

        roles(false, true, false);

        assertThat(connect(hosts)).containsExactly(2, 1, 0);
        assertThat(connect(hosts)).containsExactly(2, 2, 0);
    }

    @Test
    void balancedHostsAreUsedEvenly() {
        roles(true, false, false);
        ConnectionFactory hosts = hosts("?loadBalanceHosts=true", LONG);

        for (int i = 0; i < 5; i++) {
            connect(hosts);
        }
        assertThat(connect(hosts)).containsExactly(2, 2, 2);
    }

    @Test
    void balancedSecondariesAreUsedEvenly() {
        roles(true, false, false);
        ConnectionFactory hosts = hosts("?loadBalanceHosts=true&targetServerType=secondary", LONG);

        for (int i = 0; i < 9; i++) {
            connect(hosts);
        }
        assertThat(open).hasSize(9);
        assertThat(b.openConnections()).isBetween(3, 6);
        assertThat(c.openConnections()).isBetween(3, 6);
    }

    @Test
    void failureReportedByServerIsFailureOfAll() {
        RuntimeException password = new R2dbcPermissionDeniedException("wrong password", "28P01");
        a.on(Call.CREATE).fails(refused);
        b.on(Call.CREATE).fails(password);
        c.on(Call.CREATE).neverAnswers();

        Throwable failure = failure(hosts("", LONG));

        assertThat(failure).isSameAs(password);
        assertThat(failure.getSuppressed()).contains(refused).hasAtLeastOneElementOfType(R2dbcTimeoutException.class);
    }

    @Test
    void timeoutNamesSettingOfHost() {
        a.on(Call.CREATE).neverAnswers();
        b.on(Call.CREATE).neverAnswers();
        c.on(Call.CREATE).neverAnswers();

        assertThat(failure(hosts("", LONG))).hasMessage("No connection after PT2S, see hostTimeout");
    }

    @Test
    void missingTargetIsReported() {
        roles(false, false, false);

        assertThat(failure(hosts("?targetServerType=primary", LONG)))
                .isInstanceOf(R2dbcException.class)
                .hasMessage("a:5432 is a secondary, and targetServerType is primary");
    }

    @Test
    void cancellationEndsSearch() {
        roles(true, true, true);
        a.on(Call.CREATE).neverAnswers();

        StepVerifier.create(hosts("", LONG).create()).thenCancel().verify(LONG);

        assertThat(List.of(b.createdConnections(), c.createdConnections())).containsOnly(0);
    }
}
