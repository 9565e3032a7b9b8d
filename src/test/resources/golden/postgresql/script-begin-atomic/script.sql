create function f(a int) returns int
language sql
begin atomic
  insert into t values (1);
  select a;
end;
select f(1);