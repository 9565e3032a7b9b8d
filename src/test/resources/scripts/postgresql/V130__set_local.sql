set local statement_timeout = '60s';
set constraints all deferred;
insert into words values ('timely');
