create synonym wording for words;
create local temporary table passing(a int) on commit drop;
