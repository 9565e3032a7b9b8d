select 'a;' ';b';
select 1;