insert into words values ('${word}');
