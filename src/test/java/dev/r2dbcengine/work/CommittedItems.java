package dev.r2dbcengine.work;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replays the recorded calls of a fake driver and returns the inserted items that a database would have committed, with
 * transactions and savepoints.
 */
final class CommittedItems {
    private static final Pattern CALL = Pattern.compile("(\\d+) (.*)");
    private static final Pattern INSERT = Pattern.compile("execute insert into item \\(name\\) values \\('(.*)'\\)");

    private final List<String> committed = new ArrayList<>();
    private final Map<String, Connection> connections = new HashMap<>();

    private static final class Connection {
        final List<String> open = new ArrayList<>();
        final Map<String, Integer> savepoints = new HashMap<>();
        boolean begun;
    }

    static List<String> after(List<String> calls) {
        CommittedItems items = new CommittedItems();
        for (String call : calls) {
            Matcher parts = CALL.matcher(call);
            if (parts.matches()) {
                items.call(items.connections.computeIfAbsent(parts.group(1), n -> new Connection()), parts.group(2));
            }
        }
        return items.committed;
    }

    private void call(Connection on, String what) {
        Matcher insert = INSERT.matcher(what);
        if (insert.matches()) {
            (on.begun ? on.open : committed).add(insert.group(1));
        } else if (what.startsWith("begin")) {
            on.begun = true;
        } else if (what.startsWith("savepoint ")) {
            on.savepoints.put(what.substring("savepoint ".length()), on.open.size());
        } else if (what.startsWith("rollback to savepoint ")) {
            int size = Objects.requireNonNull(on.savepoints.get(what.substring("rollback to savepoint ".length())));
            on.open.subList(size, on.open.size()).clear();
        } else if (what.equals("commit")) {
            committed.addAll(on.open);
            end(on);
        } else if (what.equals("rollback")) {
            end(on);
        }
    }

    private static void end(Connection on) {
        on.open.clear();
        on.begun = false;
    }
}
