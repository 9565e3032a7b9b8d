package dev.r2dbcengine.migrate;

import dev.r2dbcengine.internal.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The session that holds the lock of a history, as far as the database reports it.
 *
 * @param session its number: PostgreSQL's {@code pid}, elsewhere the id of the connection or session
 * @param user the user of the database; null if the database does not report it
 * @param client its program and address; null if the database does not report it
 * @param connected the age of the session, which has held the lock at most that long; null if the database does not
 *     report it, as MariaDB
 */
public record LockHolder(
        String session,
        @Nullable String user,
        @Nullable String client,
        @Nullable Duration connected) {

    /** {@return a description, such as {@code session 4711 of user app, from 10.0.0.7, connected for 12 s}} */
    @Override
    public String toString() {
        return Stream.of(
                        "session " + session + (user == null ? "" : " of user " + user),
                        client == null ? null : "from " + client,
                        connected == null ? null : "connected for " + connected.toSeconds() + " s")
                .filter(Objects::nonNull)
                .map(Printable::line)
                .collect(Collectors.joining(", "));
    }
}
