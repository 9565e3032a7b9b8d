select -- it's :a
 $1 /* it's */