insert into words values ('nested');
