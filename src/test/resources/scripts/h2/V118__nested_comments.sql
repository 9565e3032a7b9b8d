/* a /* b; */ c; */ insert into words values ('nested comment');
