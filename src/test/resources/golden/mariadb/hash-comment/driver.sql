select 1 # it's :a
, ?