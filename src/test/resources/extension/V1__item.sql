create table item (name varchar(40) primary key);
