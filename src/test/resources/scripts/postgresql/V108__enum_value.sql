alter type mood add value 'new''s;';
