create view counted as with recursive c(n) as (select 1 union all select n + 1 from c where n < 5) select n from c;
