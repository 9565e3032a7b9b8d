DELIMITER ;;
create trigger tr before insert on t for each row begin set new.a = 1; end ;;
DELIMITER ;
select 1;