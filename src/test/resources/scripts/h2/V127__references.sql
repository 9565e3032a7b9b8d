create table child(id int primary key, parent int references child(id) on delete cascade, check (id > 0), constraint other_parent check (parent <> id));
