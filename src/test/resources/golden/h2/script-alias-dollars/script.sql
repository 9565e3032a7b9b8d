create alias hello as $$
String hello(String name) {
    // it's; "quoted
    return "Hello; " + name;
}
$$;
select hello('x');