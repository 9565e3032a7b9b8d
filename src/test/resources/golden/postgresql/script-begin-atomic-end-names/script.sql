create function f() returns int begin atomic select t.end, t.case from t; select 1 as end; end;
select 2;