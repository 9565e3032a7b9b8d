-- it's; "nothing
/* here; neither: it's
   over lines */
create table commented( -- the key; of it
  id int /* ; */ primary key
);
insert into commented values (1) -- the last
;
