COPY copied (id, name) FROM stdin WITH (FORMAT csv);
5,"a;
b"
\.
