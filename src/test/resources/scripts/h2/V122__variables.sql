set @x = 5;
insert into words select cast(@x as varchar);
