create procedure p()
begin
  declare done int default false;
  declare c cursor for select if(a, 1, 2), case when b then 1 end from t for update;
  declare continue handler for sqlstate '02000' set done = true;
  open c;
  read_loop: loop
    fetch c into @a, @b;
    if done then leave read_loop; end if;
  end loop;
  close c;
end;
select 1;