/*!40101 SET NAMES utf8mb4; */;
/*M!100100 select ';' */;
create table t(id int) /*!50100 engine=InnoDB; */;
select 1;