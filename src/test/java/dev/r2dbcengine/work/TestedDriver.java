package dev.r2dbcengine.work;

import dev.r2dbcengine.testing.Server;

/** A driver, its bind markers, and the SQL of the database that it is tested on. */
enum TestedDriver {
    H2(Server.H2, "h2", "$%d", 1, "blob", "clob", "generated always as identity"),
    POSTGRESQL(Server.POSTGRESQL, "postgresql", "$%d", 1, "bytea", "text", "generated always as identity"),
    MARIADB(Server.MARIADB, "mariadb", ":v%d", 0, "blob", "text", "auto_increment primary key"),
    /** MariaDB through the driver for MySQL. */
    MYSQL_DRIVER(Server.MARIADB, "mysql", "?v%d", 0, "blob", "text", "auto_increment primary key"),
    MYSQL(Server.MYSQL, "mysql", "?v%d", 0, "blob", "text", "auto_increment primary key");

    private final Server server;
    private final String driver;
    private final String marker;
    private final int firstMarker;
    private final String blob;
    private final String clob;
    private final String generated;

    TestedDriver(
            Server server, String driver, String marker, int firstMarker, String blob, String clob, String generated) {
        this.server = server;
        this.driver = driver;
        this.marker = marker;
        this.firstMarker = firstMarker;
        this.blob = blob;
        this.clob = clob;
        this.generated = generated;
    }

    Server server() {
        return server;
    }

    /** Returns the URL with the name of this driver. */
    String url(String url) {
        return url.replaceFirst("r2dbc:\\w+:", "r2dbc:" + driver + ":");
    }

    String marker(int index) {
        return marker.formatted(index + firstMarker);
    }

    /** Returns the name of a marker, without its prefix unless that is part of the name. */
    String identifier(int index) {
        return marker.startsWith("$") ? marker(index) : marker(index).substring(1);
    }

    String blob() {
        return blob;
    }

    String clob() {
        return clob;
    }

    String generatedKey() {
        return "create table test_key (id int " + generated + ", test_value int)";
    }
}
