insert into words values ('${flyway:filename}');
