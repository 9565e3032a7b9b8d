create table computed(id int auto_increment primary key, a int, b int as (a * 2) persistent, c int as (a + 1) virtual);
insert into computed(a) values (21);
