--begin;
;
create table t(a int);
--done, isn't it;
-------
	--x--y