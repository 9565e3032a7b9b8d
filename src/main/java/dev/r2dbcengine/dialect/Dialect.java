package dev.r2dbcengine.dialect;

import io.r2dbc.spi.ConnectionFactoryMetadata;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What differs between databases, as data: an immutable value that any number of threads may share. It does no I/O.
 *
 * <p>Two dialects are equal when they are the same object.
 */
public final class Dialect {

    /** H2 through {@code r2dbc-h2}. */
    public static final Dialect H2 = builder("H2")
            .drivers("h2")
            .features(Feature.BLOCKING, Feature.BACKPRESSURE)
            .build();

    /** PostgreSQL, and what speaks its protocol, through {@code r2dbc-postgresql}. */
    public static final Dialect POSTGRESQL = builder("PostgreSQL")
            .drivers("postgresql", "postgres")
            .features(Feature.TRANSACTIONAL_DDL, Feature.READ_ONLY, Feature.BACKPRESSURE)
            .build();

    /** MariaDB through {@code r2dbc-mariadb}. */
    public static final Dialect MARIADB =
            builder("MariaDB").drivers("mariadb").features(Feature.READ_ONLY).build();

    /** MariaDB or MySQL through {@code io.asyncer:r2dbc-mysql}. */
    public static final Dialect MYSQL = builder("MySQL")
            .drivers("mysql")
            .features(Feature.READ_ONLY, Feature.BACKPRESSURE)
            .build();

    /** A careful guess for any other database: standard SQL text and no feature that it may lack. */
    public static final Dialect ANSI = builder("ANSI").build();

    private static final List<Dialect> KNOWN = List.of(H2, POSTGRESQL, MARIADB, MYSQL);

    private final String name;
    private final Set<String> drivers;
    private final Set<Feature> features;

    private Dialect(Builder builder) {
        this.name = builder.name;
        this.drivers = builder.drivers;
        this.features = builder.features;
    }

    /**
     * The dialect of a connection factory, by the name that its metadata gives.
     *
     * @param metadata the metadata of the factory
     * @return the dialect, {@link #ANSI} for a database that is not known
     */
    public static Dialect of(ConnectionFactoryMetadata metadata) {
        return KNOWN.stream()
                .filter(dialect -> dialect.name.equalsIgnoreCase(metadata.getName()))
                .findFirst()
                .orElse(ANSI);
    }

    /**
     * The dialect of a driver, by the name that stands in a database URL: {@code r2dbc:<driver>:…}.
     *
     * @param driver the name of the driver, in any case
     * @return the dialect, {@link #ANSI} for a driver that is not known
     */
    public static Dialect ofDriver(String driver) {
        String wanted = driver.toLowerCase(Locale.ROOT);
        return KNOWN.stream()
                .filter(dialect -> dialect.drivers.contains(wanted))
                .findFirst()
                .orElse(ANSI);
    }

    /**
     * Starts a dialect of one's own from standard SQL.
     *
     * @param name the name to show
     * @return a builder
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Starts a dialect of one's own from this one.
     *
     * @return a builder that holds all that this dialect holds
     */
    public Builder toBuilder() {
        Builder builder = new Builder(name);
        builder.drivers = drivers;
        builder.features = features;
        return builder;
    }

    /**
     * The name to show.
     *
     * @return the name, as the driver's metadata spells it
     */
    public String name() {
        return name;
    }

    /**
     * Whether the database can do something.
     *
     * @param feature what is asked for
     * @return whether it can
     */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    @Override
    public String toString() {
        return name;
    }

    /** Collects a dialect. Not for several threads. */
    public static final class Builder {

        private final String name;
        private Set<String> drivers = Set.of();
        private Set<Feature> features = Set.of();

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Names the drivers.
         *
         * @param names how URLs name the driver, in lower case
         * @return this
         */
        public Builder drivers(String... names) {
            this.drivers = Set.copyOf(Arrays.asList(names));
            return this;
        }

        /**
         * Replaces the features.
         *
         * @param can all that the database can do
         * @return this
         */
        public Builder features(Feature... can) {
            this.features = Set.copyOf(Arrays.asList(can));
            return this;
        }

        /**
         * The dialect as collected so far.
         *
         * @return a new dialect
         */
        public Dialect build() {
            return new Dialect(this);
        }
    }
}
