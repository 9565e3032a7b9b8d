package dev.r2dbcengine.dialect;

import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import java.util.regex.Pattern;

/**
 * An option that the driver's sessions need.
 *
 * @param accepted a regular expression for the values that a URL may give it
 */
record SessionOption(String name, String value, String accepted) {

    void addTo(ConnectionFactoryOptions.Builder all, ConnectionFactoryOptions given) {
        Object found = given.getValue(Option.valueOf(name));
        if (found == null) {
            all.option(Option.valueOf(name), value);
        } else if (!Pattern.compile(accepted, Pattern.CASE_INSENSITIVE)
                .matcher(found.toString())
                .matches()) {
            throw new IllegalArgumentException("its option " + name + " has the value '" + found + "', and must be "
                    + value + ", because the moments of an Instant are sent in UTC: leave the option out");
        }
    }
}
