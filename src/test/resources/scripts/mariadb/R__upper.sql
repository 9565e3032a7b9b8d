create or replace view shouted as select upper(name) as name from customer;
