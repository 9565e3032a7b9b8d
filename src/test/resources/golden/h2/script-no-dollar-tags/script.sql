select $$ $a$ ; $a$ $$;
select 1;