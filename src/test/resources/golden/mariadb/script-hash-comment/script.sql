# it's; a comment
select 1; # more;
select 2 # end;
;