create procedure note(inout what text) language plpgsql as $$
begin
  insert into words values (what || ';');
  what := 'done';
end $$;
call note('called');
