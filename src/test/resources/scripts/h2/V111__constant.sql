create constant answer value 42;
insert into words select cast(answer as varchar);
