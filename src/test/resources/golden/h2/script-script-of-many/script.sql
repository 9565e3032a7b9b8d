create schema if not exists a;
create table a.t(id identity primary key, name varchar(20) not null default 'x;y');
create index i on a.t(name);
comment on table a.t is 'it''s;';
insert into a.t(name) values ('a'), ('b;');
alter table a.t add constraint c check (name <> ';');
