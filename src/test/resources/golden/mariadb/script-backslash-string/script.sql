insert into t values ('it\'s; so', "a\";b", '\\');
select 1;