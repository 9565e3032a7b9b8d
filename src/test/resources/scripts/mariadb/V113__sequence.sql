create sequence s start with 5 increment by 2;
create table sequenced(a int default nextval(s));
insert into sequenced values (default), (default);
