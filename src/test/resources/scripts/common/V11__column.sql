alter table customer add column note varchar(50) default 'a;b';
update customer set note = 'c' where id = 2;
