select -- it's :a
 :b /* it's */