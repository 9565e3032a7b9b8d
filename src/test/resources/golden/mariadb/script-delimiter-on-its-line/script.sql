DELIMITER |
create procedure p() begin select '|', 1; end
|
select 1
|

DELIMITER ;

select 2;