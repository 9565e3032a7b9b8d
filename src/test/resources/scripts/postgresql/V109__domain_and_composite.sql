create domain email as text check (value like '%@%');
create type point3 as (x int, y int, z int);
create table mail(a email, p point3);
insert into mail values ('a@b', (1, 2, 3));
