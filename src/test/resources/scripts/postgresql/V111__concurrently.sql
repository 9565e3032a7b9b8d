create index concurrently by_word on words(word);
create unique index concurrently if not exists by_id on customer(id) where id > 0;
