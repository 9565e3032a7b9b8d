create table "a;b""c;" ("-- x" int);
select 1;