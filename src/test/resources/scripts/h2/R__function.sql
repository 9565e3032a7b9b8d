create alias if not exists half as 'int half(int a) { return a / 2; }';
