insert into nowhere values (1);
