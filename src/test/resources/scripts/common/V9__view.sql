create view spent as select customer_id, sum(total) as total from orders group by customer_id;
