begin;
insert into t values (1);
commit;