create table upserted(id int primary key, n int);
insert into upserted values (1, 1);
insert into upserted values (1, 5), (2, 2) on duplicate key update n = n + values(n);
replace into upserted values (2, 9);
