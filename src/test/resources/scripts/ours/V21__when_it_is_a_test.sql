insert into words values ('in ${environment}');
