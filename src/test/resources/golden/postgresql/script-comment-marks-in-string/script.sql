insert into t values ('-- no; comment', '/* none;', '*/');
select 1;