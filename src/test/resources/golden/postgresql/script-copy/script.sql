create table t(id int, name text);
copy t from stdin;
1	it's; "quoted"
2	/* no comment
\N	$a$
\.
select 1;