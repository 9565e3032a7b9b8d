insert into again values ('once');
