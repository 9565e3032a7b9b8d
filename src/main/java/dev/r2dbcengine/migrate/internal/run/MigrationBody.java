package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.Migration;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import dev.r2dbcengine.migrate.internal.model.MigrationCode;
import dev.r2dbcengine.migrate.internal.model.MigrationScript;
import dev.r2dbcengine.migrate.internal.script.Script;
import dev.r2dbcengine.migrate.internal.script.ScriptStatement;
import dev.r2dbcengine.sql.UserCode;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The statements or the code of a migration. */
interface MigrationBody {

    /** Reads the script ahead. A failure is reported when the script runs. */
    Mono<Void> readAhead();

    /** Returns whether it runs in a transaction. */
    Mono<Boolean> inTransaction();

    /**
     * Runs it.
     *
     * @param engine an engine on the transaction of the migration, or on the connection of the run
     * @param around surrounds each statement of a script with its callbacks
     */
    Mono<Void> run(Engine engine, UnaryOperator<Mono<Long>> around);

    /** Runs it without callbacks. */
    default Mono<Void> run(Engine engine) {
        return run(engine, UnaryOperator.identity());
    }

    /** Returns whether its statements left the session unchanged; false if that is not known. */
    boolean keptSession();

    /** Returns the current statement; null if it is not known. */
    @Nullable ScriptStatement current();

    static MigrationBody of(
            FoundMigration migration, MigrationSettings settings, RunConnection run, MigrationSnapshot look) {
        if (settings.skipExecuting) {
            return new Code(engine -> Mono.empty(), true);
        }
        if (migration.content() instanceof MigrationScript script) {
            return Text.of(script, settings, run, look);
        }
        Migration code = ((MigrationCode) migration.content()).migration();
        return new Code(code::migrate, UserCode.call("inTransaction()", code::inTransaction));
    }

    /** Code; null for a script that is not executed. */
    record Code(Function<Engine, ? extends Publisher<?>> code, boolean transactional) implements MigrationBody {

        @Override
        public Mono<Void> run(Engine engine, UnaryOperator<Mono<Long>> around) {
            return UserCode.publisher("the code of a migration", () -> code.apply(engine))
                    .then();
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
    record Text(ScriptRun script, Mono<Boolean> inTransaction) implements MigrationBody {

        static Text of(MigrationScript source, MigrationSettings settings, RunConnection run, MigrationSnapshot look) {
            Script script = look.placeholders().script(source);
            int version = look.session().majorVersion();
            ScriptRun statements = new ScriptRun(script, version, run);
            Boolean said = source.settings().executeInTransaction();
            Mono<Boolean> inTransaction =
                    said == null ? statements.scan().map(scan -> scan.inTransaction(settings.mixed)) : Mono.just(said);
            return new Text(statements, inTransaction);
        }

        @Override
        public Mono<Void> readAhead() {
            return inTransaction.then().onErrorComplete();
        }

        @Override
        public Mono<Void> run(Engine engine, UnaryOperator<Mono<Long>> around) {
            return script.on(engine.unitOfWork().source(), around);
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
