create function f(int) returns text return $1 || $s0$ it's $s0$ || $b0$;$b0$;
select 1;