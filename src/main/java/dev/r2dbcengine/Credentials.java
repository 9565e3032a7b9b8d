package dev.r2dbcengine;

import java.util.Objects;

/**
 * User name and password of a database.
 *
 * @param user the user name
 * @param password the password; not part of {@link #toString()}
 */
public record Credentials(String user, CharSequence password) {

    /**
     * Creates credentials.
     *
     * @param user the user name
     * @param password the password
     * @throws NullPointerException if either is null
     */
    public Credentials {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
    }

    /** {@return a description with the user name, without the password} */
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
