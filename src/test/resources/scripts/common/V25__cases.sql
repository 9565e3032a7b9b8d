insert into words select case when id > 1 then 'many' else case id when 1 then 'one' end end from customer where id < 3;
