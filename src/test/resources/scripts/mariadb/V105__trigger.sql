create table watched(a int);
create trigger watch before insert on watched for each row set new.a = if(new.a < 0, 0, new.a);
insert into watched values (-5), (5);
