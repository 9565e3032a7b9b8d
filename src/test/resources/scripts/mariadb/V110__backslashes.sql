insert into words values ('it\'s; so'), ("a\";b"), ('\\'), ('tab\t');
