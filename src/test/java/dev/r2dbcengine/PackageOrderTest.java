package dev.r2dbcengine;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.r2dbcengine.internal.pool.EnginePool;
import dev.r2dbcengine.internal.pool.ShutdownSafePool;
import dev.r2dbcengine.internal.url.EngineUrl;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Architecture rules for the packages. Each rule is also shown to fail on a fixture that violates it. */
class PackageOrderTest {
    private static final String ROOT = "dev.r2dbcengine";
    private static final String WRONG = "dev.r2dbcengine.testing.wrong";

    /** A package, and the libraries that it may use in addition to those of the packages below. */
    private record Layer(String name, List<String> libraries) {
        static Layer of(String name, String... libraries) {
            return new Layer(name, List.of(libraries));
        }

        /** The inner packages of the root belong to the root. */
        String[] packages(String root) {
            return name.isEmpty()
                    ? new String[] {root, root + ".internal.blocking", root + ".internal.url", root + ".internal.pool"}
                    : new String[] {root + "." + name + ".."};
        }
    }

    private static final List<Layer> LAYERS = List.of(
            Layer.of("internal.text", "java..", "org.jspecify.."),
            Layer.of(
                    "dialect",
                    "org.reactivestreams..",
                    "io.r2dbc.spi..",
                    "io.r2dbc.postgresql..",
                    "io.netty.buffer..",
                    "org.mariadb.r2dbc.."),
            Layer.of("sql", "reactor.core..", "reactor.util.."),
            Layer.of("work"),
            Layer.of("", "io.r2dbc.pool..", "reactor.pool.."),
            Layer.of("migrate"));

    /** A package, and the packages on which it may depend. */
    private record Order(Layer layer, List<Layer> below) {
        static Order of(Layer layer, List<Layer> below, Layer... more) {
            return new Order(
                    layer, Stream.concat(below.stream(), Stream.of(more)).toList());
        }

        ArchRule rule(String root) {
            String[] allowed = Stream.concat(below.stream(), Stream.of(layer))
                    .flatMap(each -> Stream.concat(Stream.of(each.packages(root)), each.libraries().stream()))
                    .toArray(String[]::new);
            return ArchRuleDefinition.classes()
                    .that(resideInAnyPackage(layer.packages(root)))
                    .should(onlyDependOnClassesThat(resideInAnyPackage(allowed)))
                    .allowEmptyShould(true);
        }

        @Override
        public String toString() {
            return layer.name();
        }
    }

    /** The layers from the bottom up; then the command line and the optional integrations. */
    static Stream<Order> orders() {
        Layer micrometer = Layer.of("integration.micrometer", "io.micrometer..");
        Stream<Order> layers =
                IntStream.range(0, LAYERS.size()).mapToObj(i -> Order.of(LAYERS.get(i), LAYERS.subList(0, i)));
        return Stream.concat(
                layers,
                Stream.of(
                        Order.of(Layer.of("cli", "picocli.."), LAYERS),
                        Order.of(micrometer, LAYERS),
                        Order.of(
                                Layer.of(
                                        "integration.junit", "org.junit.jupiter.api..", "org.junit.platform.commons.."),
                                LAYERS),
                        Order.of(Layer.of("integration.spring", "org.springframework.."), LAYERS, micrometer)));
    }

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);
    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(WRONG);

    private static ArchRule noCycles(String root) {
        return slices().matching(root + ".(*)..")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(resideInAPackage(root + ".internal.."), DescribedPredicate.alwaysTrue());
    }

    private static ArchRule onlyCacheCreatesPools(String root) {
        return noClasses()
                .that(DescribedPredicate.not(
                        belongToAnyOf(ShutdownSafePool.class, EnginePool.class, CacheConfiguration.class)))
                .and()
                .doNotHaveFullyQualifiedName("dev.r2dbcengine.cli.NaiveEngines")
                .and()
                .resideInAPackage(root + "..")
                .should()
                .callConstructor(ConnectionPool.class, ConnectionPoolConfiguration.class)
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ConnectionFactories.class);
    }

    /** The messages of the SPI's URL parser contain passwords. */
    private static ArchRule onlyEngineUrlParsesUrls(String root) {
        DescribedPredicate<JavaAccess<?>> parse = DescribedPredicate.describe(
                "parses a URL",
                access -> access.getTarget().getName().equals("parse")
                        && access.getTargetOwner().isEquivalentTo(ConnectionFactoryOptions.class));
        return noClasses()
                .that(DescribedPredicate.not(belongToAnyOf(EngineUrl.class)))
                .and()
                .doNotHaveFullyQualifiedName("dev.r2dbcengine.cli.NaiveEngines")
                .and()
                .resideInAPackage(root + "..")
                .should()
                .accessTargetWhere(parse);
    }

    private static ArchRule nothingBlocks(String root) {
        DescribedPredicate<JavaCall<?>> blocking = DescribedPredicate.describe(
                "blocks",
                call -> call.getName().startsWith("block")
                        && (call.getTargetOwner().isAssignableTo(Mono.class)
                                || call.getTargetOwner().isAssignableTo(Flux.class)));
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + ".cli..")
                .and()
                .doNotHaveSimpleName("PoolLookup")
                .and()
                .doNotHaveFullyQualifiedName("dev.r2dbcengine.integration.junit.Await")
                .and()
                .doNotHaveFullyQualifiedName("dev.r2dbcengine.integration.spring.MigrationInitializer")
                .should()
                .callMethodWhere(blocking);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void packageDependsOnlyOnPackagesBelow(Order order) {
        order.rule(ROOT).check(MAIN);
    }

    @Test
    void packagesHaveNoCycles() {
        noCycles(ROOT).check(MAIN);
    }

    @Test
    void onlyCacheCreatesPools() {
        onlyCacheCreatesPools(ROOT).check(MAIN);
    }

    @Test
    void onlyEngineUrlParsesUrls() {
        onlyEngineUrlParsesUrls(ROOT).check(MAIN);
    }

    @Test
    void onlyCommandLineBlocks() {
        nothingBlocks(ROOT).check(MAIN);
    }

    @Test
    void everyPackageHasALayer() {
        assertThat(MAIN)
                .allSatisfy(type -> assertThat(orders())
                        .anyMatch(order ->
                                resideInAnyPackage(order.layer().packages(ROOT)).test(type)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "internal.text",
                "dialect",
                "cli",
                "integration.micrometer",
                "integration.junit",
                "integration.spring"
            })
    void violatedOrderIsDetected(String layer) {
        assertThat(orders().filter(order -> order.toString().equals(layer)))
                .singleElement()
                .satisfies(
                        order -> assertThat(order.rule(WRONG).evaluate(BROKEN).hasViolation())
                                .isTrue());
    }

    @Test
    void violatedRulesAreDetected() {
        for (ArchRule rule : List.of(
                noCycles(WRONG), onlyCacheCreatesPools(WRONG), onlyEngineUrlParsesUrls(WRONG), nothingBlocks(WRONG))) {
            assertThat(rule.evaluate(BROKEN).hasViolation())
                    .as(rule.getDescription())
                    .isTrue();
        }
    }
}
