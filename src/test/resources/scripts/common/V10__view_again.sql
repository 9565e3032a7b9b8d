create or replace view spent as select customer_id, sum(total) as total from orders where total > 0 group by customer_id;
