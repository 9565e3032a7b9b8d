select 1--:a
+$1