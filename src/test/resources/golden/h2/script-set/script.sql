set mode PostgreSQL;
set schema public;
create table t(id int default next value for s);