select 1 -- :a
, /* :b */ $1