DELIMITER //
select 1;
//
DELIMITER ;
select 2;
