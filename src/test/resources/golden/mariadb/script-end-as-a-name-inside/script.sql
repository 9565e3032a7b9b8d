create procedure p()
begin
  select end, begin from t;
  update t set end = 1 where begin = 2;
  if t.end then select 1; end if;
end;
select 1;