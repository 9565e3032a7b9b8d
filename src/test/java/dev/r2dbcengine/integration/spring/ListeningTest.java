package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.BorrowListener;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.migrate.MigrationListener;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

class ListeningTest {
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final class Borrows implements EngineListener, BorrowListener {
        private final String name;

        Borrows(String name) {
            this.name = name;
        }

        @Override
        public BorrowListener borrowing(String url, ContextView context) {
            return this;
        }

        @Override
        public void borrowed() {
            told.add(name);
        }

        @Override
        public void failed(Throwable failure) {
            throw new IllegalStateException(name, failure);
        }

        @Override
        public void left() {}
    }

    private @Nullable BorrowListener borrowing(EngineListener... listeners) {
        return Listening.of(EngineListener.class, List.of(listeners))
                .orElseThrow()
                .borrowing("r2dbc:fake://host/db", Context.empty());
    }

    @Test
    void noneIsNoneAndOneIsItself() {
        EngineListener only = new Borrows("only");

        assertThat(Listening.of(EngineListener.class, List.of())).isEmpty();
        assertThat(Listening.of(EngineListener.class, List.of(only))).containsSame(only);
    }

    @Test
    void whoeverWantsToBeToldOfABorrowIs() {
        EngineListener silent = new EngineListener() {};

        assertThat(borrowing(silent, silent)).isNull();
        assertThat(borrowing(silent, new Borrows("a"))).isInstanceOf(Borrows.class);
        BorrowListener both = borrowing(new Borrows("a"), silent, new Borrows("b"));
        assertThat(both).isNotNull().satisfies(BorrowListener::borrowed);
        assertThat(told).containsExactly("a", "b");
    }

    @Test
    void theFirstThatThrowsIsHeardWhenAllAreTold() {
        BorrowListener both = Objects.requireNonNull(borrowing(new Borrows("a"), new Borrows("b")));

        assertThatThrownBy(() -> both.failed(new IllegalStateException())).hasMessage("a");
    }

    @Test
    void allOfThemIsEqualOnlyToItself() {
        List<MigrationListener> two = List.of(new MigrationListener() {}, new MigrationListener() {});
        MigrationListener all = Listening.of(MigrationListener.class, two).orElseThrow();

        assertThat(Set.of(all)).contains(all);
        assertThat(all)
                .isNotEqualTo(Listening.of(MigrationListener.class, two).orElseThrow())
                .hasToString("all listeners");
    }
}
