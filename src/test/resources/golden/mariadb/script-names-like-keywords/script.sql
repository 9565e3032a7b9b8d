create table event(begin int, `end` int);
create table if not exists function(a int);
alter table event add column trigger_ int;
create view procedure as select 1 as end;
create index if on t(a);
select 2;