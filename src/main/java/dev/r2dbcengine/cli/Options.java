package dev.r2dbcengine.cli;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** The options that all commands share. */
final class Options {

    static final String CONFIG = "--config";
    static final String PLACEHOLDER = "--placeholder";
    static final String ASK_PASSWORD = "--ask-password";
    static final String PASSWORD = "--password";
    static final String JSON = "--json";
    static final String VERBOSE = "--verbose";

    private Options() {}

    static List<OptionSpec> ofTasks() {
        Stream<OptionSpec> own = Stream.of(
                switched(ASK_PASSWORD, "ask for the password"),
                OptionSpec.builder(PASSWORD)
                        .type(String.class)
                        .arity("0..1")
                        .hidden(true)
                        .build(),
                OptionSpec.builder(PLACEHOLDER)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel("NAME=VALUE")
                        .description("value of $${NAME} in scripts; can be repeated")
                        .build(),
                OptionSpec.builder(CONFIG)
                        .type(String.class)
                        .paramLabel("FILE")
                        .description("properties file: lockTimeout=5m, flyway.table=history, placeholders.name=value")
                        .build());
        Stream<OptionSpec> settings = RunSetting.all().flatMap(Options::of);
        return Stream.concat(settings, own).toList();
    }

    static List<OptionSpec> ofAll() {
        return List.of(
                switched(JSON, "print one JSON object instead of text"),
                switched(VERBOSE, "print the stack trace of an error"),
                help());
    }

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("print this help")
                .build();
    }

    static OptionSpec version() {
        return OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("print the version")
                .build();
    }

    private static Stream<OptionSpec> of(RunSetting setting) {
        return setting.flags().stream().map(flag -> option(flag, setting.option(), setting.description()));
    }

    private static OptionSpec option(String flag, RunnerOption option, String description) {
        OptionSpec.Builder builder = OptionSpec.builder(flag).description(description);
        if (option.isSwitch()) {
            return builder.type(String.class)
                    .arity("0..1")
                    .fallbackValue("true")
                    .paramLabel("true|false")
                    .build();
        }
        builder.paramLabel(option.label());
        return option.many()
                ? builder.type(List.class).auxiliaryTypes(String.class).build()
                : builder.type(String.class).build();
    }

    static OptionSpec required(String flag, String label, String description) {
        return OptionSpec.builder(flag)
                .type(String.class)
                .required(true)
                .paramLabel(label)
                .description(description)
                .build();
    }

    static OptionSpec switched(String flag, String description) {
        return OptionSpec.builder(flag).description(description).build();
    }
}
