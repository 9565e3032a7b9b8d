insert into t values ('a;b', 'it''s; so', '');
select ';';