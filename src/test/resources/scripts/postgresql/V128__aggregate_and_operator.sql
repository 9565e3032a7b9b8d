create aggregate summed(int) (sfunc = int4pl, stype = int, initcond = '0');
create operator === (leftarg = int, rightarg = int, function = int4eq);
insert into words select summed(id)::text from customer;
