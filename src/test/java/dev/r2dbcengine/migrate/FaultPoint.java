package dev.r2dbcengine.migrate;

import dev.r2dbcengine.EngineOpenException;
import dev.r2dbcengine.sql.StatementTimeoutException;
import dev.r2dbcengine.testing.Server;
import dev.r2dbcengine.testing.TripWire.Moment;
import dev.r2dbcengine.testing.TripWire.Point;
import dev.r2dbcengine.work.WorkTimeoutException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * In the midst of what a network fails: what is done, what of it has passed by then, and how it ends when the connection is
 * lost, or nothing comes any more.
 */
enum FaultPoint {
    OPEN(null, EngineOpenException.class, EngineOpenException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.engine().open();
        }

        @Override
        String told(Duration limit) {
            return "maxCreateConnectionTime";
        }
    },
    BORROW(null, R2dbcException.class, R2dbcTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.insert().timeout(limit).update();
        }

        @Override
        String told(Duration limit) {
            return NetworkedEngine.CREATION + ", see maxCreateConnectionTime";
        }
    },
    BEGIN(sent("BEGIN"), R2dbcException.class, WorkTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.unit(limit).transactional(on.insert().update());
        }
    },
    STATEMENT(sent("insert into item"), R2dbcException.class, StatementTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.insert().timeout(limit).update();
        }
    },
    STATEMENT_ANSWERED(answered("insert into item"), R2dbcException.class, StatementTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.insert().timeout(limit).update();
        }
    },
    STATEMENT_OF_UNIT(sent("insert into item"), R2dbcException.class, WorkTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.unit(limit).transactional(on.insert().update());
        }
    },
    ROWS(new Point("row-05", 1, Moment.READ), R2dbcException.class, StatementTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.rows().timeout(limit).map(String.class).all().count();
        }
    },
    ROWS_OF_UNIT(new Point("row-05", 1, Moment.READ), R2dbcException.class, WorkTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.unit(limit)
                    .transactional(on.rows().map(String.class).all())
                    .count();
        }
    },
    COMMIT(sent("COMMIT"), R2dbcException.class, WorkTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.unit(limit).transactional(on.insert().update());
        }
    },
    COMMIT_ANSWERED(answered("COMMIT"), R2dbcException.class, WorkTimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.unit(limit).transactional(on.insert().update());
        }
    },
    /** The body's own error is the one that counts. */
    ROLLBACK(sent("ROLLBACK"), NetworkedEngine.OnPurpose.class, NetworkedEngine.OnPurpose.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.unit(limit).transactional(on.insert().update().then(Mono.error(new NetworkedEngine.OnPurpose())));
        }
    },
    LOOK(sent("left join"), MigrationException.class, MigrationException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.runner().connectTimeout(limit).migrate();
        }
    },
    /** A script has no time limit: only the caller can end it. */
    MIGRATE(sent("create table m_"), MigrationException.class, TimeoutException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.runner().migrate().timeout(limit.plusSeconds(10));
        }
    },
    LOCK(sent("_lock("), MigrationException.class, MigrationException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.runner().lockTimeout(limit).migrate();
        }
    },
    /** While another session holds it. */
    LOCK_AWAITED(new Point("_lock(", 3, Moment.SENT), MigrationException.class, MigrationException.class) {
        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.runner().lockTimeout(AWAITED).migrate();
        }

        @Override
        String told(Duration limit) {
            return AWAITED.toString();
        }
    },
    /** With the session the lock goes. */
    UNLOCK(sent("advisory_unlock("), null, null) {
        @Override
        @Nullable Point point(Server server) {
            return server == Server.MARIADB ? sent("release_lock(") : super.point(server);
        }

        @Override
        Mono<?> run(NetworkedEngine on, Duration limit) {
            return on.runner().migrate();
        }
    };

    /** Those that write a row. */
    private static final Set<FaultPoint> INSERTS =
            Set.of(BORROW, BEGIN, STATEMENT, STATEMENT_ANSWERED, STATEMENT_OF_UNIT, COMMIT, COMMIT_ANSWERED);

    /** Where another error counts, that of the application. */
    private static final Set<FaultPoint> NO_LIMIT = Set.of(ROLLBACK, MIGRATE);

    private static final Duration AWAITED = Duration.ofSeconds(3);

    /** The points whose limit is fixed and long. */
    private static final Set<FaultPoint> LONG = Set.of(LOOK, MIGRATE, UNLOCK);

    @SuppressWarnings("ImmutableEnumChecker") // a record of a text, a number and an enum
    final @Nullable Point point;

    final @Nullable Class<? extends Throwable> lost;
    final @Nullable Class<? extends Throwable> silent;

    /** Without a point: from the beginning. Without an error: it ends well. */
    FaultPoint(
            @Nullable Point point,
            @Nullable Class<? extends Throwable> lost,
            @Nullable Class<? extends Throwable> silent) {
        this.point = point;
        this.lost = lost;
        this.silent = silent;
    }

    private static Point sent(String text) {
        return new Point(text, 1, Moment.SENT);
    }

    private static Point answered(String text) {
        return new Point(text, 1, Moment.ANSWERED);
    }

    @Nullable Point point(Server server) {
        return point;
    }

    /**
     * Runs the operation.
     *
     * @param limit for each operation that has a configurable limit
     */
    abstract Mono<?> run(NetworkedEngine on, Duration limit);

    boolean inserts() {
        return INSERTS.contains(this);
    }

    /** The message of its error if the connection stays lost. */
    String messageOfLoss(Duration limit) {
        return switch (this) {
            case LOOK -> limit.toString();
            case LOCK -> "while no migration ran";
            case MIGRATE -> "Its outcome is not known, since the history cannot be read";
            default -> "";
        };
    }

    /** Whether the error of a silence names the limit. */
    boolean tellsLimit() {
        return !NO_LIMIT.contains(this);
    }

    /** Which limit ended a silence. */
    String told(Duration limit) {
        return limit.toString();
    }

    boolean takesLong() {
        return LONG.contains(this);
    }

    /** The server has done it before the network failed. */
    boolean isDone() {
        return point != null && point.moment() == Moment.ANSWERED;
    }
}
