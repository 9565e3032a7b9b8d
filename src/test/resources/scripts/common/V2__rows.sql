insert into customer values (3, 'it''s; so'), (4, '');
insert into orders(id, customer_id) values (1, 1);
insert into orders values (2, 1, 12.50), (3, 3, 0.01);
