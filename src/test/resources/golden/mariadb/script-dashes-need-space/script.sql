select 1--1;
select 2;