set mode MySQL;
create table `back`(a int);
set mode Regular;
