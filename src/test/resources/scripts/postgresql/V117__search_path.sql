set search_path = other;
create table in_other(a int);
