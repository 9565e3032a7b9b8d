select 1;
\connect other
select 2;