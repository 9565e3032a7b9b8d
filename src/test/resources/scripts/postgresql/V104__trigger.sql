create table watched(a int);
create function watch() returns trigger language plpgsql as $$
begin
  if new.a < 0 then new.a := 0; end if;
  return new;
end $$;
create trigger watch before insert or update on watched for each row when (new.a is not null) execute function watch();
insert into watched values (-5), (5);
