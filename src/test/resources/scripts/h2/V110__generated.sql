create table computed(a int, b int generated always as (a * 2));
insert into computed(a) values (21);
