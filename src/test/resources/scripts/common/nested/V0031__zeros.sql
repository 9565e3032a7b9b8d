insert into words values ('zeros');
