DELIMITER //
create procedure note(in what varchar(100), out done int)
begin
  insert into words values (concat(what, ';'));
  set done = 1;
end//
create procedure two() select ';'//
DELIMITER ;
call note('called', @done);
