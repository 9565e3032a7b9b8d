select E'a' || '\';
select 1;