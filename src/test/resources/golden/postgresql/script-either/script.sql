set lock_timeout = '5s';
reset lock_timeout;
show all;
set local lock_timeout = 1;
set constraints all deferred;
set transaction read only;
set session authorization x;