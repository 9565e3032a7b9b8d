create procedure p(n int)
begin
  declare i int default 0;
  declare continue handler for not found set i = -1;
  declare exit handler for sqlexception begin rollback; resignal; end;
  if n > 1 then
    set i = if(n > 2, 1, 2);
  elseif n = 1 then
    begin set i = 3; end;
  else
    if n is null then set i = 4; end if;
  end if;
  case n when 1 then set i = 5; else begin end; end case;
  case when n > 1 then select if(1, 2, 3); end case;
  while i < 10 do set i = i + 1; end while;
  repeat set i = i - 1; until i < 0 end repeat;
  set i = case n when 1 then 2 else case when n > 3 then if(1, 2, 3) end end;
  for j in 1..3 do select repeat('x;', j); end for;
  do sleep(0);
  drop table if exists x;
  select case n when 1 then 2 end case_end, t.end from t;
end;
select 1;