create table "a;b""c" ("-- x" int, "Ünï" text);
insert into "a;b""c" values (1, 'x');
