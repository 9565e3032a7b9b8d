create table listed(a int array, b varchar(5) array[3]);
insert into listed values (array[1, 2], array['x', ';']);
