select 1 \gexec
