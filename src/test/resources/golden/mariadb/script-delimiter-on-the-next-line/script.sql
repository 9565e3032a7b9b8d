DELIMITER

  //
create procedure p() begin select 1; end
//
DELIMITER
;
create table t(a int);
