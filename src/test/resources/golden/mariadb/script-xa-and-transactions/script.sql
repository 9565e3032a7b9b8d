xa begin 'x';
xa end 'x';
start transaction;
begin work;
commit;