create table "a;b""c" ("-- x" int, `d;` int);
insert into "a;b""c" values (1, 2);
