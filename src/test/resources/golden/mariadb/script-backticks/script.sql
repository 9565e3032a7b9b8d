select `a;b``c;` from `-- t`;
select 1;