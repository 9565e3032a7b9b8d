start transaction;
savepoint a;
end;
begin work;
rollback;