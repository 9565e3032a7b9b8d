set @a := 1, @b := ';';
select @a:=@a + 1;
select 1;