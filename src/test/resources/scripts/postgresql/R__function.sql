create or replace function half(a int) returns int as $$ begin return a / 2; end $$ language plpgsql;
