package dev.r2dbcengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.cli.Settings.Value;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConfigurationTest {
    private static final MigrationRunner RUNNER =
            MigrationRunner.on(ReactiveEngineCache.create().engine("r2dbc:h2:mem:///settings"));

    /** Keys that Flyway's API sets with other methods, and keys that free Flyway rejects. */
    private static final Set<String> PAID_OR_CONNECTION = Set.of(
            "flyway.url", "flyway.user", "flyway.password", "flyway.cherryPick", "flyway.baselineMigrationPrefix");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final List<String> warnings = new ArrayList<>();

    private Settings file(String... lines) throws IOException {
        return file(Map.of(), lines);
    }

    private Settings file(Map<String, String> environment, String... lines) throws IOException {
        Path file = Files.write(directory.resolve("flyway.conf"), List.of(lines));
        return new SettingsFile(file, environment).read(warnings::add);
    }

    private static String text(Configuration configuration, RunSetting setting) {
        return configuration.value(setting).map(Value::text).orElse("unset");
    }

    @Test
    void everyOptionOfTheRunnerCanBeSet() {
        Set<String> code = Set.of("sources", "migrations", "callbacks", "listener", "placeholders");
        Set<String> own = Set.of("url", "user", "password", "passwordFile");

        Set<String> options = Stream.of(MigrationRunner.class.getMethods())
                .filter(method -> method.getReturnType() == MigrationRunner.class && method.getParameterCount() == 1)
                .map(Method::getName)
                .filter(name -> !name.equals("on") && !code.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(RunSetting.all().map(RunSetting::method).filter(name -> !own.contains(name)))
                .containsExactlyInAnyOrderElementsOf(options);
    }

    @ParameterizedTest
    @EnumSource
    void flywayKeysAreKnownToFlyway(RunSetting setting) {
        Map<String, String> properties = setting.keys().stream()
                .filter(key -> key.startsWith("flyway."))
                .filter(key -> !PAID_OR_CONNECTION.contains(key))
                .collect(Collectors.toMap(key -> key, key -> value(setting)));

        new FluentConfiguration().configuration(properties);
    }

    @ParameterizedTest
    @EnumSource
    void everySettingIsReadFromEachPlace(RunSetting setting) {
        String value = value(setting);
        setting.flags()
                .forEach(flag -> assertThat(Settings.flags(Map.of(flag, value)).value(setting))
                        .contains(new Value(value, flag)));
        setting.variables()
                .forEach(name -> assertThat(
                                Settings.environment(Map.of(name, value)).value(setting))
                        .contains(new Value(value, name)));
        setting.keys()
                .forEach(key -> assertThat(
                                Settings.file("f", Map.of(key, value)).value(setting))
                        .contains(new Value(value, "f: " + key)));

        assertThat(setting.option().to().apply(RUNNER, value)).isNotNull();
    }

    @Test
    void flywayVariablesAreReadAfterOwnOnes() {
        Configuration all = new Configuration(List.of(Settings.environment(Map.of(
                "FLYWAY_TABLE", "flyway",
                "FLYWAY_TARGET", "flyway",
                "R2E_TARGET", "own",
                "FLYWAY_LOCK_TIMEOUT", "no setting of Flyway's",
                "FLYWAY_PLACEHOLDERS_A", "flyway",
                "FLYWAY_PLACEHOLDERS_B", "flyway",
                "R2E_PLACEHOLDERS_B", "own"))));

        assertThat(text(all, RunSetting.TABLE)).isEqualTo("flyway");
        assertThat(text(all, RunSetting.TARGET)).isEqualTo("own");
        assertThat(text(all, RunSetting.LOCK_TIMEOUT)).isEqualTo("unset");
        assertThat(all.placeholders()).containsExactlyInAnyOrderEntriesOf(Map.of("A", "flyway", "B", "own"));
    }

    @Test
    void tomlFileIsRejectedWithAlternative() {
        SettingsFile toml = new SettingsFile(Path.of("flyway.toml"), Map.of());

        assertThatThrownBy(() -> toml.read(warnings::add))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageContainingAll("flyway.toml is a TOML file", "flyway.conf");
    }

    @Test
    void prefixCanBeEmptyInFile() throws IOException {
        Value prefix = file("flyway.sqlMigrationPrefix=", "flyway.url=x")
                .value(RunSetting.SQL_MIGRATION_PREFIX)
                .orElseThrow();
        assertThat(prefix.text()).isEmpty();
        assertThat(RunSetting.SQL_MIGRATION_PREFIX.option().to().apply(RUNNER, prefix.text()))
                .isNotNull();
    }

    private static String value(RunSetting setting) {
        if (setting.option().isSwitch()) {
            return "true";
        }
        return switch (setting) {
            case ENCODING -> "ISO-8859-1";
            case LOCK -> "transaction";
            case LOCK_TIMEOUT, WAIT -> "5m";
            case IGNORE_MIGRATION_PATTERNS -> "*:missing, *:future";
            case LOCATIONS -> "filesystem:one,filesystem:two";
            default -> "1";
        };
    }

    @Test
    void flagsOverrideEnvironmentAndEnvironmentOverridesFile() throws IOException {
        Settings flags = Settings.flags(Map.of("--table", "flag", "--placeholder a", "flag"));
        Settings environment = Settings.environment(Map.of(
                "R2E_TABLE", "env",
                "R2E_TARGET", "env",
                "R2E_PLACEHOLDERS_A", "env",
                "R2E_PLACEHOLDERS_B", "env"));
        Settings file = file(
                "table=own",
                "target=own",
                "flyway.installedBy=flyway",
                "installedBy=own",
                "flyway.schemas=flyway",
                "flyway.placeholders.b=flyway",
                "flyway.placeholders.c=flyway",
                "placeholders.c=own");
        Configuration all = new Configuration(List.of(flags, environment, file));

        assertThat(text(all, RunSetting.TABLE)).isEqualTo("flag");
        assertThat(text(all, RunSetting.TARGET)).isEqualTo("env");
        assertThat(text(all, RunSetting.INSTALLED_BY)).isEqualTo("own");
        assertThat(text(all, RunSetting.SCHEMAS)).isEqualTo("flyway");
        assertThat(text(all, RunSetting.WAIT)).isEqualTo("unset");
        assertThat(all.placeholders()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "flag", "B", "env", "c", "own"));
        assertThat(warnings).isEmpty();
    }

    @Test
    void fileIsReadLikeFlywayConf() throws IOException {
        Settings file = file(
                Map.of("DB_PASSWORD", "p$1\\w"),
                "# a comment",
                "flyway.password = ${DB_PASSWORD}  ",
                "flyway.locations=filesystem:C:\\db\\migration,\\",
                "  filesystem:more",
                "flyway.installedBy=ünï");

        assertThat(file.values())
                .containsEntry("flyway.password", "p$1\\w")
                .containsEntry("flyway.locations", "filesystem:C:\\db\\migration,filesystem:more")
                .containsEntry("flyway.installedBy", "ünï");
    }

    @Test
    void unsupportedFlywayKeyWarnsAndUnknownKeyFails() throws IOException {
        file("flyway.driver=org.Driver", "flyway.table=t");

        assertThat(warnings).singleElement().asString().contains("flyway.conf: flyway.driver is not supported");
        assertThatThrownBy(() -> file("tabel=t"))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageContaining("no setting tabel");
        Files.writeString(directory.resolve("flyway.conf"), "lock-timeout=5s");
        assertThat(Called.here(
                                "info",
                                "--url",
                                "r2dbc:h2:mem:///none",
                                "--config",
                                directory.resolve("flyway.conf").toString())
                        .err())
                .contains("there is no setting lock-timeout", "in camel case: lockTimeout for --lock-timeout");
    }

    @Test
    void missingVariableIsError() {
        assertThatThrownBy(() -> file("flyway.user=${MISSING}"))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageContainingAll("flyway.user", "MISSING");
    }

    @Test
    void missingFileIsError() {
        assertThatThrownBy(() -> new SettingsFile(directory.resolve("none"), Map.of()).read(warnings::add))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageContaining("cannot be read");
    }

    @ParameterizedTest
    @CsvSource({
        "--lock-timeout, soon, 'soon' is not a duration",
        "--out-of-order, maybe, neither true nor false",
        "--baseline-version, 1.x, 1.x",
        "--encoding, nosuch, nosuch",
        "--locations, s3://x, 's3://x' is no location",
        "--sql-migration-suffixes, '', No suffix"
    })
    void invalidValueIsReportedWithItsOrigin(String flag, String value, String message) {
        Configuration settings = new Configuration(List.of(Settings.flags(Map.of(flag, value))));

        assertThatThrownBy(() -> settings.of(RUNNER))
                .isInstanceOf(WrongUsageException.class)
                .hasMessageStartingWith(flag + ": ")
                .hasMessageContaining(message);
    }
}
