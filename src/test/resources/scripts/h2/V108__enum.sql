create table mood(a enum('sad', 'happy;') not null);
insert into mood values ('happy;');
