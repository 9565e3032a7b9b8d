merge into t key(id) values (1, 'a;');
merge into t using s on t.id = s.id when matched then update set a = ';' when not matched then insert values (1);