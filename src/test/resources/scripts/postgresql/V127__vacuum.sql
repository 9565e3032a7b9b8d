vacuum words;
analyze words;
