-- nothing
/* at all; */
;
