select delimiter from t;
select 1;