create procedure p(in a int, out b int)
begin
  declare c int default 0;
  set b = a + c;
end;
call p(1, @b);