package dev.r2dbcengine.sql;

import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A plan whose values come from items, on top of those that all of them share. */
final class BatchPlan<T> extends Plan {

    private final Bindings bindings;
    private final List<T> items;
    private final BiConsumer<? super Bindings, ? super T> binder;

    BatchPlan(
            ParsedSql parsed,
            @Nullable Object[] template,
            Options options,
            SqlExecution execution,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        super(parsed, template, options, execution);
        this.bindings = new Bindings(parsed, template);
        this.items = items;
        this.binder = binder;
    }

    @Override
    void bind(DriverSql text, Statement statement) {
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                statement.add();
            }
            binder.accept(bindings, items.get(i));
            bindings.bindTo(text, statement, execution().dialect());
        }
    }
}
