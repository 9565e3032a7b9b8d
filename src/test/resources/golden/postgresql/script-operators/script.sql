select '{"a": 1}'::jsonb ? 'a', a ->> 'b', a #> '{c}', @ -5, a[1:2] from t;
select x::text;