create table kept(a int, b varchar(10)) with system versioning;
