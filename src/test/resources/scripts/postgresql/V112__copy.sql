create table copied(id int, name text);
copy copied from stdin;
1	it's; "quoted"
2	/* no comment
\N	$a$
\.
insert into copied values (4, 'after');
