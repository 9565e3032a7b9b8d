select a$b, c$d$ from t;
select 1;