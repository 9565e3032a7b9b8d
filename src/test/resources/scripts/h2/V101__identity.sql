create table numbered(id bigint generated always as identity primary key, a varchar);
insert into numbered(a) values ('x'), ('y;');
