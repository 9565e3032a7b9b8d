insert into t values ('?;', ':x');
select 1;