prepare p(int) as select $1;
execute p(1);