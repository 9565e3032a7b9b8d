create function f() returns int as $BODY$
begin
  perform ';$$;';
  return 1; -- it's
end;
$BODY$ language plpgsql;
select f();