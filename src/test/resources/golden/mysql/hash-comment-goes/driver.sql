select 1 
, ?