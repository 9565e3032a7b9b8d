-- The procedure
DELIMITER $$ -- from here
create procedure p() begin end $$
DELIMITER ;
