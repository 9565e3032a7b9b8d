select E'a'
  'b''c', $1