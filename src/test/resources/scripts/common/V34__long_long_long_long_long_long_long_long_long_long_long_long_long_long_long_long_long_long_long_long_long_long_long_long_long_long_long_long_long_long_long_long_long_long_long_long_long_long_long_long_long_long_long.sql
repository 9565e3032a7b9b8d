insert into words values ('long description');
