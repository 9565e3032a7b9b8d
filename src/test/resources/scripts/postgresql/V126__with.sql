with moved as (delete from words where word = 'z;' returning word) insert into words select word || 'moved' from moved;
