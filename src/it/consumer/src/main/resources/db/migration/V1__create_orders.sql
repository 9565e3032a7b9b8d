create table orders (
    id bigint generated always as identity primary key,
    customer varchar(40) not null
);

create table lines (
    order_id bigint not null references orders (id),
    sku varchar(40) not null
);
