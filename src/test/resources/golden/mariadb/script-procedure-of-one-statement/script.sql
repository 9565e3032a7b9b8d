create procedure p() select 1;
create or replace function f(a int) returns int deterministic return a + 1;
select 2;