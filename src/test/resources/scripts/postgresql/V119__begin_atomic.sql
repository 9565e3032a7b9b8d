create function doubled(a int) returns int language sql
begin atomic
  select 1;
  select a * 2;
end;
insert into words select doubled(4)::text;
