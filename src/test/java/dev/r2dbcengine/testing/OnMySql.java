package dev.r2dbcengine.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests that need MySQL. They run if {@code -Dtest.mysql.url} names a server, which {@code .ci/mysql} starts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("mysql")
@EnabledIfSystemProperty(named = OnMySql.PROPERTY, matches = ".+", disabledReason = "needs a MySQL server")
public @interface OnMySql {
    /** The property that names the server. */
    String PROPERTY = "test.mysql.url";
}
