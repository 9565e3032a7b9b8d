create table in_first(a int);
