package dev.r2dbcengine.integration.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

class EngineRuntimeHintsTest {
    private final RuntimeHints hints = new RuntimeHints();

    @Test
    void scriptsAndListenersAreRegistered() {
        new EngineRuntimeHints().registerHints(hints, null);

        assertThat(hints).matches(resource().forResource("db/migration/V1__create_orders.sql"));
        assertThat(hints).matches(resource().forResource("db/migration/later/V2__more.sql"));
        assertThat(resource().forResource("db/other/V1__x.sql").test(hints)).isFalse();
        assertThat(CompositeListeners.KINDS)
                .allSatisfy(kind -> assertThat(hints).matches(proxies().forInterfaces(kind)));
    }

    /** Checks the hints that Spring Boot registers for the properties of an auto-configuration. */
    @Test
    void propertiesAreBindable() {
        BindableRuntimeHintsRegistrar.forTypes(R2dbcEngineProperties.class).registerHints(hints);

        for (Class<?> type :
                new Class<?>[] {R2dbcEngineProperties.class, PoolProperties.class, MigrateProperties.class}) {
            assertThat(hints).matches(reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]));
        }
    }
}
