insert into words values ('x'), ('y');
delete from words where word = 'x';
update words set word = 'z;' where word = 'y';
