create definer=`root`@`localhost` procedure p() begin select 1; end;
CREATE DEFINER = CURRENT_USER() FUNCTION f() RETURNS int NO SQL BEGIN RETURN 1; END;
create or replace definer = admin@localhost event if not exists e on schedule every 1 day do begin select 1; end;
select 1;