DELIMITER //
create procedure p()
begin
  select 1;
end//
create procedure q() select ';'//
DELIMITER ;
select 2;