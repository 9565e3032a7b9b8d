insert into t values ('a
;
b');
select 1;