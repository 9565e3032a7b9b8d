package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

/** MariaDB and MySQL. */
abstract class MySqlFamilyBaselineAndCleanContract extends BaselineAndCleanContract {
    /** @param more statements that make the objects of one of them, each followed by an empty line */
    MySqlFamilyBaselineAndCleanContract(Server server, String more) {
        super(server, more + """
                create table "Person" (id int auto_increment primary key, boss int references "Person" (id))

                create table "Order" (id int primary key, person int, foreign key (person) references "Person" (id))

                alter table "Person" add last_order int references "Order" (id)

                create view "Bosses" as select * from "Person" where boss is null

                create view of_view as select * from "Bosses"

                create function "Answer"() returns int deterministic return 42

                create procedure "Rest"(in a int) begin select a; end

                create trigger watch before insert on "Order" for each row set new.person = 1

                create event "Daily" on schedule every 1 day do delete from "Order\"""", """
                select table_name from information_schema.tables where table_schema = database()
                union all select routine_name from information_schema.routines where routine_schema = database()
                union all select event_name from information_schema.events where event_schema = database()
                union all select trigger_name from information_schema.triggers where trigger_schema = database()
                order by 1""");
    }
}
