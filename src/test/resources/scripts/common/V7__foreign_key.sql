alter table orders add constraint of_customer foreign key (customer_id) references customer(id);
