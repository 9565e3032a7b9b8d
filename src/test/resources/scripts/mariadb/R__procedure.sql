drop procedure if exists half;
create procedure half(a int) begin select a / 2; end;
