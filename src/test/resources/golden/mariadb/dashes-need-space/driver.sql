select 1--?, 2-- :b
, ? --