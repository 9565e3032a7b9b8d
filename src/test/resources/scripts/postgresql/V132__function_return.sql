create function chosen(a int) returns text return case a when 1 then 'one;' else 'many' end;
