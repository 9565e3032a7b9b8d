create event e on schedule every 1 hour starts '2026-01-01 00:00:00' on completion not preserve enable comment 'c;'
do begin delete from t; delete from s; end;
create event f on schedule at current_timestamp do delete from t;
alter event e do begin select 1; end;
select 1;