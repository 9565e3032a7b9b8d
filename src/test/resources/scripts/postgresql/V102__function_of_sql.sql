create function added(a int, b int default 2) returns int language sql immutable as $$ select a + b; $$;
