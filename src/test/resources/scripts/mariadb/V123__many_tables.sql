create table left_one(id int, a int);
insert into left_one values (1, 0), (3, 0);
update left_one l join customer c on c.id = l.id set l.a = c.id * 2;
delete l from left_one l join customer c on c.id = l.id where c.id = 3;
