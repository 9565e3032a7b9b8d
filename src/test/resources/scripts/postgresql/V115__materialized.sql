create materialized view totals as select customer_id, count(*) as n from orders group by customer_id;
create unique index totals_key on totals(customer_id);
refresh materialized view totals;
