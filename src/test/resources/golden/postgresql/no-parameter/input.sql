select  1 -- as it is
;
