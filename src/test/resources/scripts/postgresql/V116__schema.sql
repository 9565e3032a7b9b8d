create schema other create table t(id int primary key) create view v as select ';' as a;
insert into other.t values (1);
