set @what = 'prepared;';
prepare p from 'insert into words values (?); ';
execute p using @what;
deallocate prepare p;
