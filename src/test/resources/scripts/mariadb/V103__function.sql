delimiter $$
create function doubled(a int) returns int deterministic
begin
  if a < 0 then return 0; end if;
  return a * 2;
end$$
delimiter ;
insert into words values (doubled(4));
