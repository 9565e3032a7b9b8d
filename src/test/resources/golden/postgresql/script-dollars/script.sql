create alias f as $$ a; 'b; $$;
select $$;$$;