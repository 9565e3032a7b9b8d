create sequence s start with 1;
create or replace view v as select case when id > 1 then ';' end as a from t;