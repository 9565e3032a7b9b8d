set schema other;
create table in_other(a int);
