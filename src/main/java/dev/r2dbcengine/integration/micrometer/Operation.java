package dev.r2dbcengine.integration.micrometer;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first word of a statement, if it is a known SQL keyword: the number of values of a tag must be bounded. */
final class Operation {

    private static final Pattern FIRST_WORD = Pattern.compile("\\s*\\(*(\\w+)");

    private static final Set<String> KNOWN = Set.of(
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "REPLACE",
            "WITH",
            "VALUES",
            "CALL",
            "CREATE",
            "ALTER",
            "DROP",
            "TRUNCATE",
            "GRANT",
            "REVOKE",
            "COMMENT",
            "SET",
            "SHOW",
            "LOCK",
            "EXPLAIN",
            "ANALYZE",
            "VACUUM",
            "REFRESH",
            "LISTEN",
            "NOTIFY");

    private Operation() {}

    static String of(String sql) {
        Matcher matcher = FIRST_WORD.matcher(sql);
        String word = matcher.lookingAt() ? matcher.group(1).toUpperCase(Locale.ROOT) : "";
        return KNOWN.contains(word) ? word : "other";
    }
}
