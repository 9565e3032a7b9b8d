create table told(a int comment 'it''s; a') comment = 'told; so';
