create procedure counted(n int)
begin
  declare i int default 0;
  while i < n do
    insert into words values (concat('counted ', i));
    set i = i + 1;
  end while;
end;
call counted(2);
