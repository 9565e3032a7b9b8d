package dev.r2dbcengine.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.r2dbcengine.testing.Server;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class PostgreSqlBaselineAndCleanIT extends BaselineAndCleanContract {
    PostgreSqlBaselineAndCleanIT() {
        super(Server.POSTGRESQL, """
                create domain "Mail" as text check (value like '%@%')

                create type "Mood" as enum ('sad', 'glad')

                create type "Place" as (x int, y int)

                create sequence "Numbers"

                create table "Person" (id int generated always as identity primary key, nr serial, mail "Mail",
                  mood "Mood", place "Place", boss int references "Person")

                create table "Order" (id int primary key, person int references "Person")

                alter table "Person" add last_order int references "Order"

                create table part (id int, day int) partition by range (day)

                create table part_1 partition of part for values from (1) to (2)

                create table heir () inherits ("Order")

                create view "Bosses" as select * from "Person" where boss is null

                create materialized view "Counted" as select count(*) from "Bosses"

                create function "Answer"(a "Mood", b int default 1) returns int language sql as 'select 42'

                create function "Answer"(a text) returns "Person" language sql as 'select * from "Person"'

                create procedure "Rest"() language sql as 'select 1'

                create aggregate "Total"(int) (sfunc = int4pl, stype = int)

                create function watch() returns trigger language plpgsql as 'begin return new; end'

                create trigger watch before insert on "Order" for each row execute function watch()

                create function same(a "Place", b "Place") returns boolean language sql as 'select true'

                create operator === (leftarg = "Place", rightarg = "Place", function = same)

                create collation "Sorted" (locale = 'C')

                create text search configuration "Plain" (parser = default)

                create rule quiet as on delete to "Order" do instead nothing""", """
                select relname::text from pg_class where relnamespace = 'public'::regnamespace
                union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace
                union all select typname::text from pg_type where typnamespace = 'public'::regnamespace
                union all select oprname::text from pg_operator where oprnamespace = 'public'::regnamespace
                union all select collname::text from pg_collation where collnamespace = 'public'::regnamespace
                union all select cfgname::text from pg_ts_config where cfgnamespace = 'public'::regnamespace
                order by 1""");
    }

    /** Flyway fails where it meets the type of many ranges before that of one, to which it belongs. */
    @Test
    void cleanDropsRangeTypesWithTheirFunctions() throws SQLException {
        List<String> empty = left(ours);
        ours.execute("create type \"Span\" as range (subtype = int)");
        ours.execute("create table spans (\"Span\" \"Span\")");

        StepVerifier.create(runner.cleanDisabled(false).clean()).verifyComplete();

        assertThat(left(ours)).isEqualTo(empty);
    }
}
