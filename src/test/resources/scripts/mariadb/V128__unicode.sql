insert into words values ('äöü; €'), ('😀'), (_utf8mb4 x'c3a9'), (n'n');
