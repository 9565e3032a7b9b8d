do $a$ begin execute $b$ insert into words values ('nested; $$') $b$; end $a$;
