package dev.r2dbcengine.sql;

import dev.r2dbcengine.dialect.Feature;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/**
 * An execution that binds one set of values for each item, in addition to the values that all items share: as inserts
 * of several rows, or as one statement for each item.
 */
final class BatchExecution<T> extends Execution<Long> {

    private final ParsedSql parsed;
    private final Bindings bindings;
    private final List<T> items;
    private final long earlierItems;
    private final BiConsumer<? super Bindings, ? super T> binder;

    /* The items of each statement; null before the first is sent. */
    private volatile @Nullable List<Integer> sizes;
    private final AtomicInteger resultsRead = new AtomicInteger();

    BatchExecution(
            SqlStatement statement,
            ParsedSql parsed,
            @Nullable Object[] template,
            ContextView context,
            List<T> items,
            long earlierItems,
            BiConsumer<? super Bindings, ? super T> binder) {
        super(statement, parsed, template, CountReader.FACTORY, context);
        this.parsed = parsed;
        this.bindings = new Bindings(parsed, template);
        this.items = items;
        this.earlierItems = earlierItems;
        this.binder = binder;
    }

    @Override
    Publisher<? extends Result> send(Connection connection) {
        MultiRowInsert insert = multiRow();
        return insert == null || items.size() == 1 ? sendRowByRow(connection) : sendMultiRow(insert, connection);
    }

    /* Null if each item is a statement of its own. */
    private @Nullable MultiRowInsert multiRow() {
        MultiRowInsert insert = parsed.multiRow();
        return switch (batchMode()) {
            case ROW_BY_ROW -> null;
            case MULTI_ROW -> required(insert);
            case AUTOMATIC ->
                insert != null
                                && insert.tuple().repeatable()
                                && dialect().has(Feature.MULTI_ROW_INSERT)
                                && !isReturning()
                        ? insert
                        : null;
        };
    }

    private MultiRowInsert required(@Nullable MultiRowInsert insert) {
        if (insert == null) {
            throw new UnsupportedOperationException(
                    "Only an insert with one tuple that contains every parameter can have"
                            + " several rows: use another BatchMode for [" + sql() + "]");
        }
        return insert;
    }

    private Publisher<? extends Result> sendRowByRow(Connection connection) {
        Statement prepared = prepare(connection, driverSql());
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                prepared.add();
            }
            binder.accept(bindings, items.get(i));
            bindings.bindTo(driverSql(), prepared);
        }
        sizes = Collections.nCopies(items.size(), 1);
        return prepared.execute();
    }

    private Publisher<? extends Result> sendMultiRow(MultiRowInsert insert, Connection connection) {
        List<@Nullable Object[]> rows = new ArrayList<>(items.size());
        for (T item : items) {
            binder.accept(bindings, item);
            rows.add(bindings.take());
        }
        String check = dialect().multiRowCheck();
        if (check.isEmpty() || !mayContainNull(insert, rows)) {
            return send(rows, insert, insert.mostRows(), connection);
        }
        return SessionStatements.query(connection, check)
                .flatMapMany(alike -> send(rows, insert, alike.equals("1") ? insert.mostRows() : 1, connection));
    }

    private static boolean mayContainNull(MultiRowInsert insert, List<@Nullable Object[]> rows) {
        return insert.tuple().computed() || rows.stream().anyMatch(BatchExecution::containsNull);
    }

    private static boolean containsNull(@Nullable Object[] row) {
        for (Object value : row) {
            if (value instanceof TypedNull) {
                return true;
            }
        }
        return false;
    }

    /* Binds every row before the first statement is sent, since a value may be refused. */
    private Publisher<? extends Result> send(
            List<@Nullable Object[]> rows, MultiRowInsert insert, int mostRows, Connection connection) {
        List<Integer> groups = new RowGroups(rows, mostRows, sql().length()).sizes();
        List<Statement> statements = new ArrayList<>();
        for (int group = 0, from = 0; group < groups.size(); ) {
            int size = groups.get(group);
            DriverSql text = insert.ofRows(size);
            Statement prepared = prepare(connection, text);
            statements.add(prepared);
            boolean first = true;
            for (; group < groups.size() && groups.get(group) == size; group++) {
                if (!first) {
                    prepared.add();
                }
                first = false;
                for (int row = 0; row < size; row++) {
                    text.bindRow(prepared, rows.get(from++), row);
                }
            }
        }
        sizes = groups;
        return Flux.fromIterable(statements).concatMap(Statement::execute, 1);
    }

    @Override
    void resultRead() {
        resultsRead.incrementAndGet();
    }

    /* Adds the range of the failed items to an error of the database. */
    Throwable located(Throwable failure) {
        List<Integer> sent = sizes;
        if (sent == null || !(failure instanceof R2dbcException || failure instanceof StatementTimeoutException)) {
            return failure;
        }
        int failed = Math.min(resultsRead.get(), sent.size() - 1);
        long first = earlierItems
                + sent.subList(0, failed).stream().mapToInt(Integer::intValue).sum()
                + 1;
        return Exceptions.addSuppressed(failure, new FailedItemsException(first, first + sent.get(failed) - 1, sql()));
    }
}
