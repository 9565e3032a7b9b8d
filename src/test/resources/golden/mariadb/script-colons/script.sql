select ':name', 1;
select 2;