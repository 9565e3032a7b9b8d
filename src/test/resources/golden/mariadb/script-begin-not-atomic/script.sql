begin not atomic
  declare a int;
  set a = 1;
  begin select a; end;
end;
select 1;