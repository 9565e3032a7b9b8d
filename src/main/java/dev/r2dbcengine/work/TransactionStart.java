package dev.r2dbcengine.work;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.dialect.Feature;
import dev.r2dbcengine.dialect.SessionSetting;
import dev.r2dbcengine.sql.SessionStatements;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.TransactionDefinition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Begins a transaction with the settings of its unit, and restores the session settings that would outlive it. */
final class TransactionStart {

    private final Connection connection;
    private final WorkSettings settings;
    private final Deque<String> restore = new ArrayDeque<>();

    TransactionStart(Connection connection, WorkSettings settings) {
        this.connection = connection;
        this.settings = settings;
    }

    /* Settings that outlive the transaction come before BEGIN, because on H2 they would end the transaction. */
    Publisher<Void> begin(Dialect dialect) {
        List<SessionSetting> session = sessionSettings(dialect);
        return Flux.concat(
                Flux.fromIterable(session)
                        .filter(SessionSetting::outlivesTransaction)
                        .concatMap(this::set),
                Mono.defer(() -> Mono.fromDirect(begin(definition(dialect)))),
                Flux.fromIterable(session)
                        .filter(setting -> !setting.outlivesTransaction())
                        .concatMap(setting -> run(setting.set())));
    }

    /*
     * BEGIN and its settings as one publisher that sends all of them at once. Null if a setting has to be read first, or if
     * the server may reject BEGIN, since a statement behind it would then run in auto-commit mode.
     */
    @Nullable Publisher<?> ahead(Dialect dialect) {
        if (settings.isPlain()) {
            return connection.beginTransaction();
        }
        List<SessionSetting> session = sessionSettings(dialect);
        IsolationLevel isolation = settings.isolation;
        if (session.stream().anyMatch(SessionSetting::outlivesTransaction)
                || (isolation != null && !dialect.alwaysBegins(isolation))) {
            return null;
        }
        List<Publisher<?>> calls = new ArrayList<>();
        calls.add(begin(definition(dialect)));
        session.forEach(setting -> calls.add(run(setting.set())));
        return Mono.whenDelayError(calls)
                .onErrorMap(
                        Exceptions::isMultiple,
                        e -> Exceptions.unwrapMultiple(e).get(0));
    }

    /* Restores in reverse order. */
    Mono<Void> restore() {
        return Flux.fromIterable(restore).concatMap(this::run).then();
    }

    boolean hasToRestore() {
        return !restore.isEmpty();
    }

    private List<SessionSetting> sessionSettings(Dialect dialect) {
        List<SessionSetting> session = new ArrayList<>();
        IsolationLevel isolation = settings.isolation;
        if (isolation != null) {
            session.add(dialect.isolation(isolation));
        }
        if (!settings.lockWaitTimeout.isZero()) {
            session.add(dialect.lockWaitTimeout(settings.lockWaitTimeout));
        }
        if (!settings.timeout.isZero()) {
            session.add(dialect.timeLimit(settings.timeout).setting());
        }
        session.removeIf(SessionSetting.NONE::equals);
        return session;
    }

    private Mono<Void> set(SessionSetting setting) {
        return SessionStatements.restoring(connection, setting)
                .doOnNext(restore::push)
                .then(run(setting.set()));
    }

    private Publisher<Void> begin(Map<Option<?>, Object> definition) {
        return definition.isEmpty()
                ? connection.beginTransaction()
                : connection.beginTransaction(new Definition(definition));
    }

    private Map<Option<?>, Object> definition(Dialect dialect) {
        Map<Option<?>, Object> definition = new HashMap<>();
        IsolationLevel isolation = settings.isolation;
        if (isolation != null && dialect.isolation(isolation).equals(SessionSetting.NONE)) {
            definition.put(TransactionDefinition.ISOLATION_LEVEL, isolation);
        }
        if (settings.readOnly && dialect.has(Feature.READ_ONLY)) {
            definition.put(TransactionDefinition.READ_ONLY, true);
        }
        return definition;
    }

    private Mono<Void> run(String sql) {
        return SessionStatements.run(connection, sql);
    }

    private record Definition(Map<Option<?>, Object> attributes) implements TransactionDefinition {

        @Override
        @SuppressWarnings("unchecked")
        public <T> @Nullable T getAttribute(Option<T> option) {
            return (T) attributes.get(option);
        }
    }
}
