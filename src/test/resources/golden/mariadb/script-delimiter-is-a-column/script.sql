select delimiter from t;
create table d(
delimiter int
);