insert into again values ('${changing}');
