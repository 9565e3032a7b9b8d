select 1 -- a;b
, :x // c;d