delimiter #
select 1; #
select 2 #
delimiter ;
select 3; # a comment