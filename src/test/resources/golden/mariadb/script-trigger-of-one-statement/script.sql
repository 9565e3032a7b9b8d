create trigger a before insert on t for each row set new.a = if(new.a < 0, 0, new.a);
create trigger b after update on t for each row follows a insert into log values (old.id, ';');
select 1;