select 1 --	:a
+ :b