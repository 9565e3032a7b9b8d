create index by_word on words(word desc);
create hash index by_a on merged(a);
