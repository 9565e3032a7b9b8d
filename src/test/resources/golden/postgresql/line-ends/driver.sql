select
$1,$2,
$3