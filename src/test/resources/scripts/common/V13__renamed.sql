create table before_it(a int);
alter table before_it rename to after_it;
