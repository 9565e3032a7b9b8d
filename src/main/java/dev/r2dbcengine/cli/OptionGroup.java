package dev.r2dbcengine.cli;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** The groups of options in the help, in their order. Options without a group are listed first. */
enum OptionGroup {
    COMMAND(""),
    DATABASE("Database"),
    SCRIPTS("Scripts"),
    RUN("Run"),
    HISTORY("History and lock"),
    GENERAL("General");

    private static final Set<RunSetting> OF_DATABASE = EnumSet.of(
            RunSetting.URL,
            RunSetting.USER,
            RunSetting.PASSWORD_FILE,
            RunSetting.SCHEMAS,
            RunSetting.DEFAULT_SCHEMA,
            RunSetting.CREATE_SCHEMAS,
            RunSetting.WAIT);

    private static final Set<RunSetting> OF_SCRIPTS = EnumSet.of(
            RunSetting.LOCATIONS,
            RunSetting.PLACEHOLDER_REPLACEMENT,
            RunSetting.PLACEHOLDER_PREFIX,
            RunSetting.PLACEHOLDER_SUFFIX,
            RunSetting.ENCODING,
            RunSetting.SQL_MIGRATION_PREFIX,
            RunSetting.REPEATABLE_SQL_MIGRATION_PREFIX,
            RunSetting.BASELINE_MIGRATION_PREFIX,
            RunSetting.SQL_MIGRATION_SEPARATOR,
            RunSetting.SQL_MIGRATION_SUFFIXES,
            RunSetting.VALIDATE_MIGRATION_NAMING);

    private static final Set<RunSetting> OF_HISTORY = EnumSet.of(
            RunSetting.TABLE,
            RunSetting.BASELINE_ON_MIGRATE,
            RunSetting.BASELINE_VERSION,
            RunSetting.BASELINE_DESCRIPTION,
            RunSetting.INSTALLED_BY,
            RunSetting.LOCK,
            RunSetting.LOCK_TIMEOUT);

    private static final Set<String> OF_ALL =
            Set.of(Options.CONFIG, Options.JSON, Options.VERBOSE, "--help", "--version");

    private final String heading;

    OptionGroup(String heading) {
        this.heading = heading;
    }

    static OptionGroup of(OptionSpec option) {
        String flag = option.longestName();
        if (OF_ALL.contains(flag)) {
            return GENERAL;
        }
        return flag.equals(Options.ASK_PASSWORD)
                ? DATABASE
                : flag.equals(Options.PLACEHOLDER)
                        ? SCRIPTS
                        : RunSetting.all()
                                .filter(setting -> setting.flags().contains(flag))
                                .findFirst()
                                .map(OptionGroup::of)
                                .orElse(COMMAND);
    }

    private static OptionGroup of(RunSetting setting) {
        if (OF_DATABASE.contains(setting)) {
            return DATABASE;
        }
        if (OF_SCRIPTS.contains(setting)) {
            return SCRIPTS;
        }
        return OF_HISTORY.contains(setting) ? HISTORY : RUN;
    }

    /** Returns the options of a command, under the headings of their groups. */
    static String all(Help help) {
        return Stream.of(values()).map(group -> group.text(help)).collect(Collectors.joining());
    }

    /** Returns the options of this group as the help shows them; empty without options. */
    private String text(Help help) {
        List<OptionSpec> options = help.commandSpec().options().stream()
                .filter(option -> !option.hidden() && of(option) == this)
                .toList();
        if (options.isEmpty()) {
            return "";
        }
        return (heading.isEmpty() ? "" : System.lineSeparator() + heading + ":" + System.lineSeparator())
                + help.optionListExcludingGroups(options);
    }
}
