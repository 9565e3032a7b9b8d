prepare s from 'select ?; ';
execute s using @a;
select 1;