package dev.r2dbcengine.sql;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** The single value of a statement. Each subscription executes the statement. */
final class StatementMono<T> extends Mono<T> {

    private final SqlStatement statement;
    private final ResultReader.Factory<T> reader;

    StatementMono(SqlStatement statement, ResultReader.Factory<T> reader) {
        this.statement = statement;
        this.reader = reader;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Mono<T> execution;
        try {
            execution = statement.runner().one(statement, reader, actual.currentContext());
        } catch (Throwable e) {
            Operators.error(actual, e);
            return;
        }
        execution.subscribe(actual);
    }
}
