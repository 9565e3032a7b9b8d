alter table commented add column a int;
alter table commented drop column a;
