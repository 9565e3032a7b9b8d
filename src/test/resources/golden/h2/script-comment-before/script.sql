-- The first; table
/* with
 a comment; */ create table t(id int);

-- and the next
select 1;