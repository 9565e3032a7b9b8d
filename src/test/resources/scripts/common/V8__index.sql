create index orders_of_customer on orders(customer_id, total);
create unique index customer_name on customer(name);
