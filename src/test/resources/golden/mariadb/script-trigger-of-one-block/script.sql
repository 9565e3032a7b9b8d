create trigger a before insert on t for each row if new.a < 0 then set new.a = 0; end if;
create trigger if not exists b before update on t for each row precedes a begin set new.a = 1; set new.b = 2; end;
select 1;