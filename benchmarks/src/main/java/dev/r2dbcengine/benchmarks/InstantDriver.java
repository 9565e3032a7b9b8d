package dev.r2dbcengine.benchmarks;

import io.r2dbc.spi.Batch;
import io.r2dbc.spi.ColumnMetadata;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcType;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.Type;
import io.r2dbc.spi.ValidationDepth;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A driver that answers at once and costs as little as possible, to measure the code around it. It returns 1,000 rows
 * for a statement that contains {@code >}, and one row otherwise. Its answers are hidden from Reactor's operators,
 * which would take constants without a subscription; no pool and no real driver returns constants.
 */
final class InstantDriver implements ConnectionFactory {

    @Override
    public Mono<Connection> create() {
        return Mono.<Connection>fromSupplier(InstantConnection::new).hide();
    }

    @Override
    public ConnectionFactoryMetadata getMetadata() {
        return METADATA;
    }

    private static final Mono<Void> DONE = Mono.<Void>empty().hide();
    private static final Facts METADATA = new Facts();

    private static final class Facts implements ConnectionFactoryMetadata, ConnectionMetadata {
        @Override
        public String getName() {
            return "PostgreSQL";
        }

        @Override
        public String getDatabaseProductName() {
            return "PostgreSQL";
        }

        @Override
        public String getDatabaseVersion() {
            return "17";
        }
    }

    private static final class InstantStatement implements Statement {
        private final InstantResult result;
        private int sets = 1;

        InstantStatement(String sql) {
            result = sql.indexOf('>') < 0 ? ONE : MANY;
        }

        @Override
        public Statement add() {
            sets++;
            return this;
        }

        @Override
        public Statement bind(int index, Object value) {
            return this;
        }

        @Override
        public Statement bind(String name, Object value) {
            return this;
        }

        @Override
        public Statement bindNull(int index, Class<?> type) {
            return this;
        }

        @Override
        public Statement bindNull(String name, Class<?> type) {
            return this;
        }

        @Override
        public Statement returnGeneratedValues(String... columns) {
            return this;
        }

        @Override
        public Publisher<? extends Result> execute() {
            return sets == 1 ? Mono.just(result).hide() : Flux.range(0, sets).map(i -> result);
        }
    }

    private static final InstantResult ONE = new InstantResult(1);
    private static final InstantResult MANY = new InstantResult(1000);

    private record InstantResult(int rows) implements Result {
        @Override
        public Publisher<Long> getRowsUpdated() {
            return Mono.just(1L);
        }

        @Override
        public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mapping) {
            return Flux.range(0, rows).map(i -> mapping.apply(ROW, ROW));
        }

        @Override
        public Result filter(Predicate<Segment> filter) {
            return this;
        }

        @Override
        public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mapping) {
            return Flux.range(0, rows).concatMap(i -> mapping.apply((RowSegment) () -> ROW));
        }
    }

    private static final InstantRow ROW = new InstantRow();

    private static final class InstantRow implements Row, RowMetadata {
        private static final List<Column> COLUMNS = List.of(
                new Column("id", 7, R2dbcType.INTEGER),
                new Column("name", "Ada", R2dbcType.VARCHAR),
                new Column("age", 36, R2dbcType.INTEGER));

        @Override
        public RowMetadata getMetadata() {
            return this;
        }

        @Override
        public <T> T get(int index, Class<T> type) {
            return type.cast(COLUMNS.get(index).value);
        }

        @Override
        public <T> T get(String name, Class<T> type) {
            return type.cast(getColumnMetadata(name).value);
        }

        @Override
        public Column getColumnMetadata(int index) {
            return COLUMNS.get(index);
        }

        @Override
        public Column getColumnMetadata(String name) {
            return COLUMNS.stream()
                    .filter(column -> column.name.equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public List<Column> getColumnMetadatas() {
            return COLUMNS;
        }
    }

    private record Column(String name, Object value, Type type) implements ColumnMetadata {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public Type getType() {
            return type;
        }

        @Override
        public Class<?> getJavaType() {
            return value.getClass();
        }
    }

    private static final class InstantConnection implements Connection {
        @Override
        public Statement createStatement(String sql) {
            return new InstantStatement(sql);
        }

        @Override
        public Mono<Void> close() {
            return Mono.empty();
        }

        @Override
        public Publisher<Void> beginTransaction() {
            return DONE;
        }

        @Override
        public Publisher<Void> beginTransaction(TransactionDefinition definition) {
            return DONE;
        }

        @Override
        public Publisher<Void> commitTransaction() {
            return DONE;
        }

        @Override
        public Batch createBatch() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Publisher<Void> createSavepoint(String name) {
            return DONE;
        }

        @Override
        public boolean isAutoCommit() {
            return true;
        }

        @Override
        public ConnectionMetadata getMetadata() {
            return METADATA;
        }

        @Override
        public IsolationLevel getTransactionIsolationLevel() {
            return IsolationLevel.READ_COMMITTED;
        }

        @Override
        public Publisher<Void> releaseSavepoint(String name) {
            return DONE;
        }

        @Override
        public Publisher<Void> rollbackTransaction() {
            return DONE;
        }

        @Override
        public Publisher<Void> rollbackTransactionToSavepoint(String name) {
            return DONE;
        }

        @Override
        public Publisher<Void> setAutoCommit(boolean autoCommit) {
            return Mono.empty();
        }

        @Override
        public Publisher<Void> setLockWaitTimeout(Duration timeout) {
            return Mono.empty();
        }

        @Override
        public Publisher<Void> setStatementTimeout(Duration timeout) {
            return Mono.empty();
        }

        @Override
        public Publisher<Void> setTransactionIsolationLevel(IsolationLevel isolationLevel) {
            return Mono.empty();
        }

        @Override
        public Publisher<Boolean> validate(ValidationDepth depth) {
            return Mono.just(true);
        }
    }
}
