select `a;b` from `t``;`;
select 1;