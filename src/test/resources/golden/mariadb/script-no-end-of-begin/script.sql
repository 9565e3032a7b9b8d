select 1;
create procedure p()
begin
  if true then select 1;
end;
select 2;
