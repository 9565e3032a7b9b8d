create table `a;b``c` (`-- x` int, `Ünï` varchar(10));
insert into `a;b``c` values (1, "x");
