select 1;
copy t from stdin;
1
2
