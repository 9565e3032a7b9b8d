-- The table;create table t(a int -- it's;);--insert into t values (1) -- one, (2);-- Mixed
insert into t values (3);--
insert into t values (4) --
;-- end