insert into words values ('last');
