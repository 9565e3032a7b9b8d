if (select count(*) from t) > 0 then
  delete from t;
  select 1;
end if;
while false do select 1; end while;
for i in 1..2 do insert into t values (i); end for;
select 2;