insert into words values ('${word}'), ('${WORD}${word}'), ('${flyway:filename}'), ('${flyway:table}'), ('$word'), ('{word}');
