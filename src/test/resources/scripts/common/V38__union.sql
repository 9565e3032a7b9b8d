insert into words select 'u1' union all select 'u2';
