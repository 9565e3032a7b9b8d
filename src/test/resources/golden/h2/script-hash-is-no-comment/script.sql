select 1 # 2;
select 3;