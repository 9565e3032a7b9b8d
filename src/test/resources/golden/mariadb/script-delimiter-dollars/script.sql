delimiter $$
create function f() returns int deterministic begin return 1; end$$
Delimiter ;
select f();