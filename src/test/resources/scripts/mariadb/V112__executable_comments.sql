/*!40101 SET NAMES utf8mb4 */;
create table engined(id int) /*!50100 engine=InnoDB */;
insert into words values ('/*! no; */');
