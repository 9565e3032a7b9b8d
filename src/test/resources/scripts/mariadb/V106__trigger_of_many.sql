DELIMITER ;;
create trigger watch_more before update on watched for each row begin
  set new.a = old.a + 1;
  insert into words values ('updated;');
end ;;
DELIMITER ;
update watched set a = 0 where a = 5;
