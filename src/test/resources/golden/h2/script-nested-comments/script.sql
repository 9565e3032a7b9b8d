/* a /* b; */ c; */ select 1;
select /* /* ; */ */ 2;