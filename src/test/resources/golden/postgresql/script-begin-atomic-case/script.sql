create or replace procedure p()
begin atomic
  select case when true then 1 else 2 end;
  select (case when true then case 1 when 1 then 2 end end) as end;
  update t set a = case b when 1 then 2 end;
end;
select 2;