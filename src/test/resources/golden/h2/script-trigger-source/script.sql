create trigger tr before insert on t as 'org.h2.api.Trigger create() { return null; }';
select 1;