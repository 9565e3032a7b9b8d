# it's; a comment
insert into words values ('hash'); # more;
