do $$
declare r record;
begin
  for r in select id from customer order by id loop insert into words values (r.id || ';'); end loop;
end $$;
