package dev.r2dbcengine.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Each {@link Server}; MySQL only if there is one. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(EachServer.Servers.class)
public @interface EachServer {

    /** The servers. */
    final class Servers implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return Stream.of(Server.values())
                    .filter(server -> server != Server.MYSQL
                            || !System.getProperty(OnMySql.PROPERTY, "").isEmpty())
                    .map(Arguments::of);
        }
    }
}
