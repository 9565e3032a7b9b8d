select 1;
create table t(
 id int;
select 2;
