select E'a'
  'b\'c', :x