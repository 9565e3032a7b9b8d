create table ruled(id int);
create table rule_log(id int, what text);
create rule log_it as on insert to ruled do also (
  insert into rule_log values (new.id, ';');
  insert into rule_log values (new.id, 'second');
);
insert into ruled values (1);
