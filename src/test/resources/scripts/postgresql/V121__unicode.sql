insert into words values (U&'d\0061ta;'), ('äöü; €'), ('😀');
