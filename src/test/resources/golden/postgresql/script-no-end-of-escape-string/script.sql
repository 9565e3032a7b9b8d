select E'abc\';
select 2;