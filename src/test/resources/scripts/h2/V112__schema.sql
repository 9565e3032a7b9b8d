create schema other;
create table other.t(a int primary key, b varchar default ';');
insert into other.t(a) values (1);
