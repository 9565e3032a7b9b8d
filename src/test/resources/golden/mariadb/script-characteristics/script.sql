create procedure p(a decimal(10, 2))
  comment 'it''s; begin'
  language sql not deterministic modifies sql data sql security invoker
begin
  select 1;
end;
create function f() returns varchar(10) character set utf8mb4 begin return 'x'; end;
select 1;