package dev.r2dbcengine.sql;

import io.r2dbc.spi.Statement;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** An execution that binds one set of values for each item, in addition to the values that all items share. */
final class BatchExecution<T> extends Execution<Long> {

    private final Bindings bindings;
    private final List<T> items;
    private final BiConsumer<? super Bindings, ? super T> binder;

    BatchExecution(
            SqlStatement statement,
            ParsedSql parsed,
            @Nullable Object[] template,
            ContextView context,
            List<T> items,
            BiConsumer<? super Bindings, ? super T> binder) {
        super(statement, parsed, template, CountReader.FACTORY, context);
        this.bindings = new Bindings(parsed, template);
        this.items = items;
        this.binder = binder;
    }

    @Override
    void bind(DriverSql sql, Statement prepared) {
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                prepared.add();
            }
            binder.accept(bindings, items.get(i));
            bindings.bindTo(sql, prepared);
        }
    }
}
