copy t from stdin;
1
2
\.
select 1;
