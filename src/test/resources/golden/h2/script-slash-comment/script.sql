select 1; // it's; here
select 2;