start transaction;
insert into words values ('begun');
commit;
