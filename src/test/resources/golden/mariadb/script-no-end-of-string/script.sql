select 1;

select 'abc;
select 2;
