create domain email as varchar(100) check (position('@', value) > 1);
create table mail(a email);
insert into mail values ('a@b');
