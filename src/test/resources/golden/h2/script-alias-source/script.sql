create alias next_prime as '
String nextPrime(String value) {
    return "it''s;" + value;
}
';
call next_prime('1');