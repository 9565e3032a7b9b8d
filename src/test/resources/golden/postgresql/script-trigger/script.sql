create trigger tr before insert on t for each row execute function f();
create event trigger e on ddl_command_start execute function g();
select 1;