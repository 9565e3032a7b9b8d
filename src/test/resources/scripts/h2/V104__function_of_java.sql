create alias root for 'java.lang.Math.sqrt(double)';
insert into words select cast(root(16) as varchar);
