create table parted(a int not null) partition by range (a) (partition low values less than (10), partition rest values less than maxvalue);
insert into parted values (1), (11);
