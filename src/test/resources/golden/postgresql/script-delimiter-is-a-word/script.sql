copy t to '/x' with delimiter ';';
select delimiter from t;