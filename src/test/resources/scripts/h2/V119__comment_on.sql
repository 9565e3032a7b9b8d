comment on table words is 'it''s; all';
comment on column words.word is 'one';
