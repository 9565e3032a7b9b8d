insert into words values ('${word}'), ('${nobody}');
