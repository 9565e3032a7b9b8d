package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.dialect.Dialect;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptException;
import dev.r2dbcengine.migrate.internal.script.ScriptReader;
import dev.r2dbcengine.migrate.internal.script.ScriptScan;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import dev.r2dbcengine.sql.ConnectionSource;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Result;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reads a script and sends its statements one after the other. */
final class ScriptRun {

    private static final int CHUNK = 8192;

    private final Script script;
    private final Dialect dialect;
    private final int majorVersion;
    private final RunSubscriber subscriber;
    private final TransactionWatch watch;
    private final Mono<ScriptScan> scan;
    private volatile @Nullable List<ScriptStatement> known;
    private volatile @Nullable ScriptStatement current;
    private volatile boolean keptSession = true;

    ScriptRun(Script script, int majorVersion, RunConnection run) {
        this.script = script;
        this.dialect = run.dialect();
        this.majorVersion = majorVersion;
        this.subscriber = run.subscriber();
        this.watch = run.watch();
        this.scan = Mono.fromCallable(() -> script.scan(dialect, majorVersion))
                .subscribeOn(Schedulers.boundedElastic())
                .doOnNext(scanned -> known = scanned.statements())
                .cache();
    }

    /** Returns the statement that was sent last. */
    @Nullable ScriptStatement current() {
        return current;
    }

    /** Returns whether all statements left the session unchanged. */
    boolean keptSession() {
        return keptSession;
    }

    /** Reads the whole script once. A small one is kept in memory to run it. */
    Mono<ScriptScan> scan() {
        return scan;
    }

    /** @param around surrounds each statement with its callbacks */
    Mono<Void> on(ConnectionSource source, UnaryOperator<Mono<Long>> around) {
        return Mono.defer(() -> {
            List<ScriptStatement> all = known;
            return all == null
                    ? read(source, around)
                    : Flux.fromIterable(all)
                            .concatMap(next -> subscriber.orStop(around.apply(send(next, source))))
                            .then();
        });
    }

    /* Does not read ahead, since COPY data follow their statement. */
    private Mono<Void> read(ConnectionSource source, UnaryOperator<Mono<Long>> around) {
        return Flux.using(
                        () -> script.open(dialect, majorVersion),
                        reader -> statements(reader)
                                .concatMap(next -> subscriber.orStop(around.apply(send(next, reader, source))), 0),
                        ScriptRun::close)
                .subscribeOn(Schedulers.boundedElastic())
                .then();
    }

    static Flux<ScriptStatement> statements(ScriptReader reader) {
        return Flux.<ScriptStatement>generate(sink -> {
                    ScriptStatement next = reader.next();
                    if (next == null) {
                        sink.complete();
                    } else {
                        sink.next(next);
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
    }

    private void at(ScriptStatement next) {
        current = next;
        keptSession &= next.keepsSession();
    }

    private Mono<Long> send(ScriptStatement next, ScriptReader reader, ConnectionSource source) {
        return next.copiesData() ? copy(next, reader, source) : send(next, source);
    }

    private Mono<Long> copy(ScriptStatement next, ScriptReader reader, ConnectionSource source) {
        return source.<Long>one(connection -> copy(connection, next, reader.data()))
                .doOnSubscribe(start -> at(next));
    }

    private Mono<Long> send(ScriptStatement next, ConnectionSource source) {
        return source.<Long>one(connection -> run(connection, next)).doOnSubscribe(start -> at(next));
    }

    private Mono<Long> run(Connection connection, ScriptStatement next) {
        return Flux.from(connection
                        .createBatch()
                        .add(dialect.forBatch(next.text()))
                        .execute())
                .concatMap(Result::getRowsUpdated)
                .then(Mono.defer(() -> watch.after(connection, next.chains())))
                .then(Mono.empty());
    }

    private Publisher<Long> copy(Connection connection, ScriptStatement next, Reader data) {
        Publisher<Long> rows = dialect.copy(connection, next.text(), chunks(data));
        return rows == null
                ? Mono.error(new ScriptException(
                        script.file(), next.line(), "this connection takes no data: insert the rows instead"))
                : rows;
    }

    private static Flux<byte[]> chunks(Reader data) {
        return Flux.<byte[]>generate(sink -> {
                    String chunk = read(data);
                    if (chunk.isEmpty()) {
                        sink.complete();
                    } else {
                        sink.next(chunk.getBytes(StandardCharsets.UTF_8));
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
    }

    /* Fills the buffer, so that a message does not hold a single line and does not end within a character. */
    private static String read(Reader data) {
        try {
            char[] chunk = new char[CHUNK + 1];
            int length = 0;
            for (int read = 0; read >= 0 && length < CHUNK; length += Math.max(0, read)) {
                read = data.read(chunk, length, CHUNK - length);
            }
            if (length > 0 && Character.isHighSurrogate(chunk[length - 1])) {
                length += Math.max(0, data.read(chunk, length, 1));
            }
            return new String(chunk, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void close(ScriptReader reader) {
        try {
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
