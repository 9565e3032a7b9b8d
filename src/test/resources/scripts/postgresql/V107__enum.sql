create type mood as enum ('sad', 'happy;');
create table moody(a mood);
insert into moody values ('happy;');
