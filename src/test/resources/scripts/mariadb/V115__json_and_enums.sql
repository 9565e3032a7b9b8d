create table typed(a json, b enum('sad', 'happy;'), c set('x', 'y'), d varbinary(10), e datetime(3), f year);
insert into typed values ('{"a": ";"}', 'happy;', 'x,y', x'00ff', '2026-11-28 01:00:00.123', 2026);
