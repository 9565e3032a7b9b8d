create table t(a int);
--done;
insert into t values (1);
