insert into words values (':name'), ('?'), ('$1'), ('a:b'), ('@p');
