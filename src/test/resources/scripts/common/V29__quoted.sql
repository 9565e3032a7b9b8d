insert into words values ('"quoted; "'), ('`'), ('--'), ('/*'), ('*/'), ('#'), ('//');
