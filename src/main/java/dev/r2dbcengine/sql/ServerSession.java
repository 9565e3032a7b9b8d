package dev.r2dbcengine.sql;

/**
 * The session of a connection, as the server reports it. Equal ids of two servers are different sessions, and a new
 * connection may reach another server: through a load balancer, a proxy, or a URL with several hosts.
 *
 * @param server identifies the server; equal for all connections to it
 * @param id identifies the session on that server
 */
public record ServerSession(String server, String id) {}
