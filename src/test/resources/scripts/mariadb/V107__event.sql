create event tidy on schedule every 1 day starts '2030-01-01 00:00:00' on completion preserve disable comment 'c;'
do begin delete from outside where a > 5; delete from outside where a < -5; end;
