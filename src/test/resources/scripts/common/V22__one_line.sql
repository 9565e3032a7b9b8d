insert into words values ('a'); insert into words values ('b');insert into words values ('c')
;;
