create table pair (id int primary key, a bigint not null, b bigint not null);
create table number (n bigint not null);
