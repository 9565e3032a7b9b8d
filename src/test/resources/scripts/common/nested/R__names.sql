create or replace view names as select id, name from customer where name <> ';';
