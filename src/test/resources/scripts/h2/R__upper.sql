create or replace force view shouted as select upper(name) as name from customer;
