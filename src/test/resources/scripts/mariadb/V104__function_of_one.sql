create function plus_one(a int) returns int deterministic return a + 1;
insert into words values (plus_one(1));
