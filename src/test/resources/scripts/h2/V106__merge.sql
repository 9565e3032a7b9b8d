create table merged(id int primary key, a varchar(10));
merge into merged key(id) values (1, 'a;');
merge into merged using (select 1 as id union select 2) as s on merged.id = s.id when matched then update set a = ';' when not matched then insert values (s.id, 'n');
