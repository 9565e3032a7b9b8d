select "abc\";
select 2;