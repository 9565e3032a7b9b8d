insert into words values ("it's; so"), ("a""b;"), ('say "x"');
