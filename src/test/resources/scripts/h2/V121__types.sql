create table typed(a uuid, b binary varying(10), c json, d boolean, e timestamp with time zone, f interval day to second);
insert into typed values ('00000000-0000-0000-0000-000000000001', X'00ff', json '{"a": ";"}', true, timestamp with time zone '2026-11-28 01:00:00+01:00', interval '1 02:03:04' day to second);
