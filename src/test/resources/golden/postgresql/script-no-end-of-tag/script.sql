select 1;
do $a$ begin $b$;
select 2;