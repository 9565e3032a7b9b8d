package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;

/** Matches if a property or bean determines the database. */
final class DatabaseCondition extends AnyNestedCondition {

    DatabaseCondition() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty("r2dbc-engine.url")
    static class OurUrl {}

    @ConditionalOnProperty("spring.r2dbc.url")
    static class SpringsUrl {}

    @ConditionalOnBean(R2dbcConnectionDetails.class)
    static class Details {}

    @ConditionalOnBean(Engine.class)
    static class OwnEngine {}
}
