insert into words with recursive c(n) as (select 1 union all select n + 1 from c where n < 3) select concat('r', n) from c;
