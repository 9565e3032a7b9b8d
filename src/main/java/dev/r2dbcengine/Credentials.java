package dev.r2dbcengine;

import java.util.Objects;

/**
 * With what one logs in at a database.
 *
 * @param user the name
 * @param password never printed
 */
public record Credentials(String user, CharSequence password) {

    /**
     * Checks that both are there.
     *
     * @param user the name
     * @param password never printed
     */
    public Credentials {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
    }

    /** {@return the user, without the password} */
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
