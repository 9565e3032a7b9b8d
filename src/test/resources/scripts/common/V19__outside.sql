create table outside(a int);
insert into outside values (1);
