alter table orders add constraint total_is_positive check (total >= 0);
