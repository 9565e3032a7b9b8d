insert into t values ("a;b""c;", "it's;");
select 1;