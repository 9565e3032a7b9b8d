create algorithm = merge sql security invoker view few as select id, name from customer where id < 3 with check option;
