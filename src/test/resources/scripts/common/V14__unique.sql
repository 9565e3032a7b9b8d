create table pair(a int not null, b int not null, primary key (a, b), constraint b_is_unique unique (b));
