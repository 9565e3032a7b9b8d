select 1;
create function f() returns int
begin atomic
  select 1;
select 2;
