create procedure read_all()
begin
  declare done int default false;
  declare v varchar(200);
  declare c cursor for select name from customer order by id;
  declare continue handler for not found set done = true;
  open c;
  read_loop: loop
    fetch c into v;
    if done then leave read_loop; end if;
    insert into words values (concat('read ', v));
  end loop;
  close c;
end;
call read_all();
