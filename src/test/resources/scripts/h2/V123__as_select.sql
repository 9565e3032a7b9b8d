create table copied as select id, name from customer where id < 3;
alter table copied alter column name rename to called;
