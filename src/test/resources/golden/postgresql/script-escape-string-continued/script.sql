select E'a'
 'b\'c;';
select E'a' -- why; not
  'b\'c;', 'd\';
select 1;