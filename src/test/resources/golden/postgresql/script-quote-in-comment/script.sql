-- it's
select 1; /* don't; "do" */
select 2;