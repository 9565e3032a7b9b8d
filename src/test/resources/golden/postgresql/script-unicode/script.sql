insert into t values ('äöü; €', '😀');
select 1 as größe;