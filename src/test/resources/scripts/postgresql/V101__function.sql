create function one() returns int as $BODY$
begin
  perform ';$$;';
  return 1; -- it's
end;
$BODY$ language plpgsql;
insert into words select one()::text;
