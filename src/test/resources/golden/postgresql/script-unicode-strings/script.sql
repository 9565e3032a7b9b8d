select U&'d\0061t;a', u&"d;\0061";
select 1;