package dev.r2dbcengine.migrate;

import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a migration does. */
interface MigrationBody {

    /** Reads what will be needed, and tells of no failure. */
    Mono<Void> readAhead();

    /** Whether it runs in a transaction. */
    Mono<Boolean> inTransaction();

    /** Does it, in the unit of the Context or without one. */
    Mono<Void> run();

    /** Whether all that it has sent leaves the session as it was; false when that is not known. */
    boolean keptSession();

    /** The statement that it is at; null when that is not known. */
    @Nullable ScriptStatement current();

    static MigrationBody of(ResolvedMigration migration, MigrationSettings settings, RunConnection run, Look look) {
        if (settings.skipExecuting) {
            return Code.of(Mono::empty, true);
        }
        if (migration.content() instanceof MigrationScript script) {
            return Text.of(script, settings, run, look);
        }
        Migration code = ((MigrationCode) migration.content()).migration();
        return Code.of(() -> code.migrate(run.engine()), code.inTransaction());
    }

    /** Code, or nothing. */
    record Code(Mono<Void> run, boolean transactional) implements MigrationBody {

        static Code of(Supplier<? extends Publisher<?>> code, boolean transactional) {
            return new Code(Flux.defer(() -> start(code)).then(), transactional);
        }

        /* Reactor throws what it holds for fatal, a missing class too, past the end of the run: the lock would stay. */
        private static Publisher<?> start(Supplier<? extends Publisher<?>> code) {
            try {
                return code.get();
            } catch (Throwable e) {
                return Mono.error(
                        Exceptions.isFatal(e) ? new ExecutionException("The code of the migration threw", e) : e);
            }
        }

        @Override
        public Mono<Void> readAhead() {
            return Mono.empty();
        }

        @Override
        public Mono<Boolean> inTransaction() {
            return Mono.just(transactional);
        }

        @Override
        public boolean keptSession() {
            return false;
        }

        @Override
        public @Nullable ScriptStatement current() {
            return null;
        }
    }

    /** A script. */
    record Text(ScriptRun script, Mono<Boolean> inTransaction, RunConnection connection) implements MigrationBody {

        static Text of(MigrationScript source, MigrationSettings settings, RunConnection run, Look look) {
            Script script = look.placeholders().script(source);
            int version = look.session().majorVersion();
            ScriptRun statements = new ScriptRun(script, run.dialect(), version, run.subscriber());
            Boolean said = source.settings().executeInTransaction();
            Mono<Boolean> inTransaction =
                    said == null ? statements.scan().map(scan -> scan.inTransaction(settings.mixed)) : Mono.just(said);
            return new Text(statements, inTransaction, run);
        }

        @Override
        public Mono<Void> readAhead() {
            return inTransaction.then().onErrorComplete();
        }

        @Override
        public Mono<Void> run() {
            return script.on(connection.engine().unitOfWork().source());
        }

        @Override
        public boolean keptSession() {
            return script.keptSession();
        }

        @Override
        public @Nullable ScriptStatement current() {
            return script.current();
        }
    }
}
