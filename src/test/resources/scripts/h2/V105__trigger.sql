create table watched(a int);
create trigger watch before insert on watched for each row as $$
org.h2.api.Trigger create() {
    return (connection, before, after) -> { after[0] = (Integer) after[0] + 1; };
}
$$;
insert into watched values (1);
