select case when a = 1 then 'x' else 'y' end from t;
select case a when 1 then 2 end;