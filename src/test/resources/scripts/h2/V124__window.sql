create view ranked as select id, row_number() over (partition by customer_id order by total desc) as r from orders;
