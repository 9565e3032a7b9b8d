package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.Engine;
import dev.r2dbcengine.migrate.Migration;
import dev.r2dbcengine.migrate.MigrationCallback;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.migrate.MigrationRunner;
import dev.r2dbcengine.migrate.MigrationSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the {@link MigrationRunner}, with the options of {@code r2dbc-engine.migrate} and the beans of
 * the types {@link Migration}, {@link MigrationSource}, {@link MigrationCallback} and {@link MigrationListener}, and of
 * the run at startup. It runs before the beans that use the database and before Spring Boot's {@code schema.sql}.
 * {@code r2dbc-engine.migrate.enabled=false} disables both.
 */
@AutoConfiguration(after = EngineAutoConfiguration.class, before = R2dbcAutoConfiguration.class)
@ConditionalOnBean(Engine.class)
@ConditionalOnBooleanProperty(name = "r2dbc-engine.migrate.enabled", matchIfMissing = true)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class MigrationAutoConfiguration {

    /** The bean name of the auto-configured runner. */
    static final String RUNNER = "r2dbcEngineMigrationRunner";

    MigrationAutoConfiguration() {}

    /** Uses the application's own engine, if it defines one. */
    @Bean(RUNNER)
    @ConditionalOnMissingBean
    MigrationRunner migrationRunner(
            R2dbcEngineProperties properties,
            ObjectProvider<UnmigratedEngine> plain,
            ObjectProvider<Engine> engine,
            ObjectProvider<Migration> migrations,
            ObjectProvider<MigrationSource> sources,
            ObjectProvider<MigrationCallback> callbacks,
            ObjectProvider<MigrationListener> listeners) {
        UnmigratedEngine ours = plain.getIfAvailable();
        MigrationRunner runner = properties
                .migrate()
                .apply(MigrationRunner.on(ours == null ? engine.getObject() : ours.engine()))
                .sources(sources(migrations, sources))
                .callbacks(callbacks.orderedStream().toArray(MigrationCallback[]::new));
        return CompositeListeners.of(
                        MigrationListener.class, listeners.orderedStream().toList())
                .map(runner::listener)
                .orElse(runner);
    }

    private static MigrationSource[] sources(
            ObjectProvider<Migration> migrations, ObjectProvider<MigrationSource> sources) {
        List<MigrationSource> all = new ArrayList<>(sources.orderedStream().toList());
        Migration[] code = migrations.orderedStream().toArray(Migration[]::new);
        if (code.length > 0) {
            all.add(MigrationSource.of(code));
        }
        return all.toArray(MigrationSource[]::new);
    }

    @Bean
    @ConditionalOnMissingBean
    MigrationInitializer migrationInitializer(MigrationRunner runner) {
        return new MigrationInitializer(runner);
    }
}
