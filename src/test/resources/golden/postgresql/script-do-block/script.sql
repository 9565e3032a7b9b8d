do $$
declare r record;
begin
  for r in select 1 loop raise notice ';'; end loop;
end $$;
select 1;