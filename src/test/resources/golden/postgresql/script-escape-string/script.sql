insert into t values (E'it\'s; so', e'\\');
select 1;