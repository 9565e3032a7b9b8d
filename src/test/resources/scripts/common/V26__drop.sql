create table away(a int);
create index away_a on away(a);
create view away_view as select a from away;
drop view away_view;
drop table away;
