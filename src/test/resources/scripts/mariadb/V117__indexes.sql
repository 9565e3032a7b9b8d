create table texts(a text, b varchar(50) character set latin1 collate latin1_swedish_ci, fulltext key full_a (a), key part_b (b(10)));
