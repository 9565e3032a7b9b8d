insert into words values ('a
;

  b');
