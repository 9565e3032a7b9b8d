insert into t values ('\', ';\');
select 1;