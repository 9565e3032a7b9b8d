select t.end, t.begin from t;
select 1;