create table secured(owner text, a int);
alter table secured enable row level security;
create policy own on secured for select using (owner = current_user and a > 0);
