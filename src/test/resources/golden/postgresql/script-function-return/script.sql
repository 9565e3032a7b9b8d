create function f(a int) returns int return case a when 1 then 2 end;
select 1;