package dev.r2dbcengine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.R2dbcException;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class TestDatabaseIT {
    @Nested
    class OnH2 implements TestDatabaseContract {
        @Override
        public Server server() {
            return Server.H2;
        }

        @Test
        void isRemovedWithLastConnectionUnlessKept() {
            try (TestDatabase database = TestDatabase.fresh(Server.H2)) {
                StepVerifier.create(database.execute("create table t (id int)")).verifyComplete();
                StepVerifier.create(database.query("select id from t", Integer.class))
                        .verifyError(R2dbcException.class);
            }
        }
    }

    /** A real server, which is shared and has an address. */
    interface OnAServer extends TestDatabaseContract {
        String limit();

        @Test
        default void isOneServerForAll() {
            try (TestDatabase one = TestDatabase.fresh(server());
                    TestDatabase other = TestDatabase.fresh(server())) {
                assertThat(one.port()).isEqualTo(other.port());
                assertThat(one.url()).contains(one.host(), one.user(), one.password(), one.name());
                assertThat(one.toString()).doesNotContain(one.password());
            }
        }

        @Test
        default void acceptsManyConnections() {
            try (TestDatabase database = TestDatabase.fresh(server())) {
                StepVerifier.create(database.query(limit(), Integer.class))
                        .assertNext(limits -> assertThat(limits.get(0)).isGreaterThanOrEqualTo(300))
                        .verifyComplete();
            }
        }
    }

    @Nested
    class OnPostgreSql implements OnAServer {
        @Override
        public Server server() {
            return Server.POSTGRESQL;
        }

        @Override
        public String limit() {
            return "select current_setting('max_connections')::int";
        }
    }

    @Nested
    class OnMariaDb implements OnAServer {
        @Override
        public Server server() {
            return Server.MARIADB;
        }

        @Override
        public String limit() {
            return "select cast(@@max_connections as int)";
        }

        @Test
        void storesAllOfUnicode() {
            try (TestDatabase database = TestDatabase.fresh(Server.MARIADB)) {
                StepVerifier.create(database.execute("create table t (a varchar(10))", "insert into t values ('é😀')"))
                        .verifyComplete();
                StepVerifier.create(database.query("select a from t", String.class))
                        .expectNext(List.of("é😀"))
                        .verifyComplete();
            }
        }
    }
}
