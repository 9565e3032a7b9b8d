do $a$ begin execute $b$ select ';' $b$; end $a$;
select 1;