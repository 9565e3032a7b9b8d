select 1 # it's ?
, :b