insert into words values ($$it's; so$$);
