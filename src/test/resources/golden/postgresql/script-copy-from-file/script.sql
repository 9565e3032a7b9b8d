copy t from '/tmp/a;b';
copy t to stdout;
select 1;