create index concurrently i on t(a);
create unique index concurrently if not exists j on t(b);
drop index concurrently i;
create index concurrently_ on t(a);
create index k on t(a);