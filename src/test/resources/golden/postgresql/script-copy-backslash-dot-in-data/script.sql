copy t from stdin;
\. x
 a\.
\.
select 1;