copy t from stdin; select 1;
1
\.
