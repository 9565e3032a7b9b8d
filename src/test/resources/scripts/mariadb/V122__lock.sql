lock tables words write;
insert into words values ('locked');
unlock tables;
