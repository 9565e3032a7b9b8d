create table parted(a int not null, b text) partition by range (a);
create table parted_low partition of parted for values from (0) to (10);
create table parted_rest partition of parted default;
insert into parted values (1, 'low;'), (11, 'rest');
