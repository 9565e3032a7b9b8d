insert into words select name from customer where id < 3 order by id;
