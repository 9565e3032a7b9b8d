-- ${word}, and /* ${word} */
insert into words values ('commented');
