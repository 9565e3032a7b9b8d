create table purchase (
    no int primary key,
    tenant varchar(20) not null
);

create table purchase_line (
    purchase_no int not null references purchase (no),
    sku varchar(20) not null
);
