package dev.r2dbcengine;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Packages named {@code internal} are not for users. Each rule is shown to fail on a tree that breaks it. */
class InternalPackagesTest {
    private static final String ROOT = "dev.r2dbcengine";
    private static final String WRONG = "dev.r2dbcengine.testing.wrong";

    /** The internal packages of a package, from the ground up. */
    private static final List<List<String>> ORDERS = List.of(
            List.of(".internal.text", ".internal.blocking", ".internal.url", ".internal.pool"),
            List.of(
                    ".migrate.internal.script",
                    ".migrate.internal.model",
                    ".migrate.internal.plan",
                    ".migrate.internal.find",
                    ".migrate.internal.history",
                    ".migrate.internal.run"));

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);
    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(WRONG);

    private record Rule(String name, Function<String, ArchRule> below) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Rule> rules() {
        return Stream.of(
                new Rule("signatures", InternalPackagesTest::noPublicSignatureMentionsAnInternalType),
                new Rule("engine", root -> innerOrder(root, ORDERS.get(0))),
                new Rule("migrate", root -> innerOrder(root, ORDERS.get(1))),
                new Rule("migrate from outside", InternalPackagesTest::onlyMigrateUsesItsInternalPackages),
                new Rule("engine from outside", InternalPackagesTest::integrationsUseTextOnly));
    }

    private static ArchRule innerOrder(String root, List<String> order) {
        return classes()
                .that(resideInAPackage(root + order.get(0).replaceAll("\\.[a-z]+$", "..")))
                .should(new ArchCondition<>("import only internal packages below their own") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        int own = indexOf(type.getPackageName());
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(dependency ->
                                        indexOf(dependency.getTargetClass().getPackageName()) > own)
                                .forEach(dependency ->
                                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
                        if (own < 0) {
                            events.add(SimpleConditionEvent.violated(type, type.getName() + " is in no known package"));
                        }
                    }

                    private int indexOf(String name) {
                        return IntStream.range(0, order.size())
                                .filter(i -> name.equals(root + order.get(i)))
                                .findFirst()
                                .orElse(-1);
                    }
                });
    }

    private static ArchRule noPublicSignatureMentionsAnInternalType(String root) {
        return classes()
                .that(resideInAPackage(root + ".."))
                .and(DescribedPredicate.not(resideInAPackage("..internal..")))
                .and(DescribedPredicate.describe("are public", InternalPackagesTest::isPublic))
                .should(new ArchCondition<>("mention no internal type in a public signature") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        Stream<JavaMember> visible = type.getMembers().stream().filter(InternalPackagesTest::isVisible);
                        Stream<JavaType> supertypes =
                                Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
                        Stream.concat(supertypes, visible.flatMap(InternalPackagesTest::signature))
                                .flatMap(mentioned -> mentioned.getAllInvolvedRawTypes().stream())
                                .filter(resideInAPackage("..internal.."))
                                .forEach(internal -> events.add(SimpleConditionEvent.violated(
                                        type, type.getName() + " shows " + internal.getName())));
                    }
                });
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(InternalPackagesTest::isPublic).orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaType> signature(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit code = (JavaCodeUnit) member;
        return Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream());
    }

    private static ArchRule onlyMigrateUsesItsInternalPackages(String root) {
        return noClasses()
                .that(resideInAPackage(root + ".."))
                .and(DescribedPredicate.not(resideInAPackage(root + ".migrate..")))
                .should()
                .dependOnClassesThat(resideInAPackage(root + ".migrate.internal.."));
    }

    private static ArchRule integrationsUseTextOnly(String root) {
        DescribedPredicate<JavaClass> outside =
                resideInAPackage(root + ".integration..").or(resideInAPackage(root + ".cli.."));
        return noClasses()
                .that(outside.or(resideInAPackage(root + ".migrate..")))
                .should()
                .dependOnClassesThat(resideInAPackage(root + ".internal..")
                        .and(DescribedPredicate.not(resideInAPackage(root + ".internal.text"))));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void internalPackagesStayInternal(Rule rule) {
        rule.below().apply(ROOT).check(MAIN);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void brokenTreeViolatesEachRule(Rule rule) {
        assertThat(rule.below().apply(WRONG).evaluate(BROKEN).hasViolation()).isTrue();
    }
}
