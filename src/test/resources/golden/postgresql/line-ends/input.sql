select
:a,:b,
:c