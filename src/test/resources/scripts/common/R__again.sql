delete from again;
insert into again values ('${changing}');
