create rule r as on insert to t do instead (
  insert into a values (new.id);
  insert into b values (new.id);
);
select 1;