merge into t using s on t.id = s.id when matched then do nothing when not matched then insert values (1, ';');
select 1;