create table t(id int);

-- c
insert into t
values (1);
