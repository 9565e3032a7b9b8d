create table customer(id int primary key, name varchar(100) not null);
create table orders(id int primary key, customer_id int not null, total decimal(10, 2) default 0 not null);
create table words(word varchar(200));
create table again(word varchar(200));
insert into customer values (1, 'Ada'), (2, 'Bob');
