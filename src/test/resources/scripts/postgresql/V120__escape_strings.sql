insert into words values (E'it\'s; so'), (e'\\'), (E'tab\tand\u00e9'), ('\');
