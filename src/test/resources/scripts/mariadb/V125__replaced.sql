create table replaced(a int);
create or replace table replaced(a varchar(10) default 'x;', check (a <> ''));
