create table defaults(a int default 7 not null, b varchar(20) default 'it''s', c int);
insert into defaults(c) values (1);
