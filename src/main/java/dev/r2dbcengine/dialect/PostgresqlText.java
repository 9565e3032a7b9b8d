package dev.r2dbcengine.dialect;

/** Writes statements for PostgreSQL. */
final class PostgresqlText {

    private PostgresqlText() {}

    /* The driver knows dollar quotes, and the server runs in the block what it would run outside of it. */
    static String doBlock(String statement) {
        String inner = tag("s", statement);
        String outer = tag("b", statement);
        return "do " + outer + " begin execute " + inner + statement + inner + "; end " + outer;
    }

    private static String tag(String name, String text) {
        int number = 0;
        while (text.contains("$" + name + number)) {
            number++;
        }
        return "$" + name + number + "$";
    }
}
