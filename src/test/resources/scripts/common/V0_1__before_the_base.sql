create table never(a int);
