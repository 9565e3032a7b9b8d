create procedure p()
main: begin
  lp:LOOP
    leave lp;
  end loop lp;
  l2 : while true do iterate l2; end while l2;
  `l;3`: repeat leave `l;3`; until true end repeat;
  b: begin leave b; end b;
end main;
select 1;