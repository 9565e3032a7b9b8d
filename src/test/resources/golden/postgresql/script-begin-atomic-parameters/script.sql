create function add(int, int) returns int
begin atomic
  select $1 + $2;
end;
select add(1, 2);