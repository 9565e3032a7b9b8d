create table dated(on_day date not null, at_time timestamp null, exact decimal(20, 6), rough double precision);
insert into dated values (date '2026-11-28', timestamp '2026-11-28 01:32:00', 12345.678901, 0.5);
