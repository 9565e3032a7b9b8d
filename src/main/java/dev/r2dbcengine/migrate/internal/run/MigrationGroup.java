package dev.r2dbcengine.migrate.internal.run;

import dev.r2dbcengine.migrate.InvalidMigrationException;
import dev.r2dbcengine.migrate.internal.model.FoundMigration;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Flyway's rule for a group: all migrations run in one transaction or none does; if kinds may be mixed, none does as
 * soon as one cannot.
 */
final class MigrationGroup {

    private record Member(FoundMigration migration, boolean inTransaction) {}

    private MigrationGroup() {}

    /** Returns whether the group runs in a transaction. */
    static Mono<Boolean> inTransaction(
            Flux<MigrationStep> steps, Function<MigrationStep, Mono<Boolean>> look, boolean mixed) {
        return steps.concatMap(step -> look.apply(step).map(inside -> new Member(step.migration(), inside)), 0)
                .collectList()
                .map(members -> inTransaction(members, mixed));
    }

    private static boolean inTransaction(List<Member> members, boolean mixed) {
        List<Member> outside =
                members.stream().filter(member -> !member.inTransaction).toList();
        if (!mixed && !outside.isEmpty() && outside.size() < members.size()) {
            Member inside =
                    members.stream().filter(Member::inTransaction).findFirst().orElseThrow();
            throw refused(inside.migration, outside.get(0).migration);
        }
        return outside.isEmpty();
    }

    private static InvalidMigrationException refused(FoundMigration inside, FoundMigration outside) {
        return new InvalidMigrationException(
                outside.origin() + " cannot run in a transaction, and " + inside.origin()
                        + " should, but both are in one group. Nothing was applied. Run without group(true), or allow"
                        + " both in a group without a transaction: mixed(true)",
                inside.script(),
                outside.script());
    }
}
