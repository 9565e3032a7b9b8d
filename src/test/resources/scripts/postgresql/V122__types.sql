create table typed(a int[], b jsonb, c uuid, d bytea, e timestamptz, f interval, g numrange, h inet);
insert into typed values ('{1,2}', '{"a": ";"}', '00000000-0000-0000-0000-000000000001', '\x00ff', '2026-11-28 01:00:00+01', '1 day', '[1,2)', '10.0.0.1/8');
insert into words select b ->> 'a' from typed where b ? 'a' and a @> array[1];
