create temporary table passing(a varchar(10));
insert into passing values ('through');
insert into words select a from passing;
drop temporary table passing;
