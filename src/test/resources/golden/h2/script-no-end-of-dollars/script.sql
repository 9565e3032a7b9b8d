select 1;
create alias f as $$ a;
select 2;