-- nothing
/* here
; */
;;
  ; -- at all