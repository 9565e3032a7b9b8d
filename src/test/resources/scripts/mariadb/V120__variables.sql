set @a := 1, @b := ';';
insert into words values (@b);
