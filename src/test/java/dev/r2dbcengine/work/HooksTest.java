package dev.r2dbcengine.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Actions that are added while the body of a unit ends. */
class HooksTest {
    private final Hooks hooks = new Hooks();

    @Test
    void beforeCommitAfterTheLastTakeIsRefused() {
        assertThat(hooks.beforeCommit(Mono.empty())).isTrue();
        assertThat(hooks.takeBeforeCommit()).isNotNull();
        assertThat(hooks.beforeCommit(Mono.empty())).isTrue();
        assertThat(hooks.takeBeforeCommit()).isNotNull();
        assertThat(hooks.takeBeforeCommit()).isNull();

        assertThat(hooks.beforeCommit(Mono.empty())).isFalse();
        assertThat(hooks.afterCommit(Mono.empty())).isTrue();
    }

    @Test
    void hooksAfterBodyAcceptActionsOfSavepointsOnly() {
        Hooks late = Hooks.afterBody();
        assertThat(hooks.afterCommit(Mono.empty())).isTrue();
        hooks.moveTo(late);

        assertThat(late.take(true)).hasSize(1);
        assertThat(Hooks.afterBody().beforeCommit(Mono.empty())).isFalse();
        assertThat(Hooks.ENDED.afterCommit(Mono.empty())).isFalse();
    }
}
