COPY public.t (id, name) FROM stdin WITH (FORMAT csv);
1,"a;
b"
\.

select 1;