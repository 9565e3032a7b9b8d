create table t(id int, check (id > 0));
select ((1) + (2));