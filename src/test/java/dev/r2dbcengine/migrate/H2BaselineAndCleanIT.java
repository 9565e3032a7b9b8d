package dev.r2dbcengine.migrate;

import dev.r2dbcengine.testing.Server;

class H2BaselineAndCleanIT extends BaselineAndCleanContract {
    H2BaselineAndCleanIT() {
        super(Server.H2, """
                create domain "Mail" as varchar check value like '%@%'

                create sequence "Numbers"

                create table "Person" (id int generated always as identity primary key, mail "Mail", boss int references "Person")

                create table "Order" (id int primary key, person int references "Person", constraint c check (id > 0))

                alter table "Person" add last_order int references "Order"

                create view "Bosses" as select * from "Person" where boss is null

                create view of_view as select * from "Bosses"

                create constant "Answer" value 42

                create alias "Rest" for 'java.lang.Thread.sleep(long)'

                create synonym "Folk" for "Person"

                create trigger watch before insert on "Order" for each row call 'dev.r2dbcengine.migrate.H2BaselineAndCleanIT$Watch'""", """
                select table_name from information_schema.tables where table_schema = 'PUBLIC'
                union all select sequence_name from information_schema.sequences where sequence_schema = 'PUBLIC'
                union all select constant_name from information_schema.constants where constant_schema = 'PUBLIC'
                union all select routine_name from information_schema.routines where routine_schema = 'PUBLIC'
                union all select domain_name from information_schema.domains where domain_schema = 'PUBLIC'
                union all select synonym_name from information_schema.synonyms where synonym_schema = 'PUBLIC'
                union all select trigger_name from information_schema.triggers where trigger_schema = 'PUBLIC'
                order by 1""");
    }

    /** Does nothing. */
    public static final class Watch implements org.h2.api.Trigger {
        @Override
        public void fire(java.sql.Connection connection, Object[] before, Object[] after) {}
    }
}
