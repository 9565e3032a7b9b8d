create schema s create table t(id int) create view v as select ';' as a;
select 1;