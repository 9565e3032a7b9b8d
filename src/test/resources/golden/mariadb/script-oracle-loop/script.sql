create or replace procedure p(a int) as
begin
  while a > 0 loop
    if a then select 1; end if;
  end loop;
  select a.atomic, atomic from a;
end;
select 1;