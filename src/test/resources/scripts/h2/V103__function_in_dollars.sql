create alias greet as $$
String greet(String name) {
    // it's; "quoted
    return "Hello; " + name;
}
$$;
create table greeted as select greet('x') as greeting;
