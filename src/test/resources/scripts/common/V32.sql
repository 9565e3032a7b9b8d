insert into words values ('no description');
