insert into words values ('begun');
commit;
