create table t( -- the key;
  id int /* ; */
);
select 1 -- last
;
select 2 -- end