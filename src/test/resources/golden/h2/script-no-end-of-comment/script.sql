select 1;
 /* abc;
select 2;
