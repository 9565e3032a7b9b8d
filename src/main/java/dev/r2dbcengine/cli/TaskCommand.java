package dev.r2dbcengine.cli;

import dev.r2dbcengine.ReactiveEngineCache;
import dev.r2dbcengine.cli.Settings.Value;
import dev.r2dbcengine.internal.text.Printable;
import dev.r2dbcengine.migrate.MigrationRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Runs a task with its settings on its own engine cache. */
record TaskCommand(Task task, Shell shell, ParseResult flags, Foreground foreground) {

    private static final String CONFIG_VARIABLE = RunSetting.VARIABLE + "CONFIG";
    private static final String FILESYSTEM = "filesystem:";
    private static final String LOCATION = FILESYSTEM + "db/migration";

    CommandResult run() {
        if (flags.hasMatchedOption(Options.PASSWORD)) {
            throw new WrongUsageException(
                    "A password on the command line is visible to other users. Remove --password, and set"
                            + " R2E_PASSWORD, or give --password-file or --ask-password");
        }
        Configuration settings = new Configuration(places());
        if (task.kind().readsScripts()) {
            checkLocations(settings);
        }
        Login login = login(settings);
        ReactiveEngineCache engines = login.engines();
        Progress progress = new Progress(shell, flags.hasMatchedOption(Options.JSON));
        try {
            MigrationRunner runner = settings.of(MigrationRunner.on(engines.engine(login.url()))
                    .locations(LOCATION)
                    .listener(progress));
            CountDownLatch end = task.kind().changes() ? progress.end() : new CountDownLatch(0);
            return foreground.await(
                    task.run().apply(new Task.Call(runner, flags, shell)), end, progress.cancelStatement());
        } finally {
            engines.close().block();
        }
    }

    private List<Settings> places() {
        Settings first = Settings.flags(flagValues());
        Settings environment = Settings.environment(shell.environment());
        warnOfUnread(environment);
        return Stream.concat(
                        Stream.of(first, environment),
                        file().map(file -> new SettingsFile(file, shell.environment()).read(this::warn)).stream())
                .toList();
    }

    private void warnOfUnread(Settings environment) {
        environment
                .unknown()
                .filter(name -> name.startsWith(RunSetting.VARIABLE) || name.startsWith(RunSetting.FLYWAY_VARIABLE))
                .filter(name -> !name.equals(CONFIG_VARIABLE))
                .forEach(name -> warn(name + " in the environment is not a known setting and is ignored"));
        environment
                .unknown()
                .filter(name -> name.startsWith(RunSetting.SPRING_VARIABLE))
                .forEach(name -> warnOfSpring(
                        environment, name, RunSetting.VARIABLE + name.substring(RunSetting.SPRING_VARIABLE.length())));
    }

    private void warnOfSpring(Settings environment, String name, String read) {
        if (environment.knows(read) || read.equals(CONFIG_VARIABLE)) {
            warn(name + " in the environment configures a Spring application and is not read here: set " + read);
        }
    }

    private void warn(String warning) {
        shell.err().println("warning " + Printable.line(warning));
    }

    private Optional<Path> file() {
        return Optional.ofNullable(flags.<String>matchedOptionValue(
                        Options.CONFIG, shell.environment().get(CONFIG_VARIABLE)))
                .map(Path::of);
    }

    private Map<String, String> flagValues() {
        Map<String, String> all = new HashMap<>();
        for (OptionSpec option : flags.matchedOptions()) {
            if (option.longestName().equals(Options.PLACEHOLDER)) {
                option.<List<String>>getValue().forEach(pair -> put(all, pair));
            } else {
                all.put(option.longestName(), text(option.getValue()));
            }
        }
        return all;
    }

    /** Adds a placeholder. The error does not quote the text, which may be a secret. */
    private static void put(Map<String, String> all, String pair) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw new WrongUsageException("A " + Options.PLACEHOLDER + " has no name or no value: write "
                    + Options.PLACEHOLDER + " name=value");
        }
        all.put(Settings.PLACEHOLDER + pair.substring(0, equals), pair.substring(equals + 1));
    }

    private static String text(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }

    private Login login(Configuration settings) {
        Login login = Login.of(settings);
        if (login.showsPassword()) {
            warn(Login.VISIBLE_PASSWORD);
        }
        return flags.hasMatchedOption(Options.ASK_PASSWORD)
                ? login.withPassword(shell.password()
                        .get()
                        .orElseThrow(() -> new WrongUsageException("There is no terminal to ask for the password: use"
                                + " --password-file, or the variable R2E_PASSWORD")))
                : login;
    }

    /** Rejects a missing folder: migrate would find nothing to do, and repair would mark all migrations as deleted. */
    private static void checkLocations(Configuration settings) {
        Value places = settings.value(RunSetting.LOCATIONS).orElseGet(() -> new Value(LOCATION, "The default"));
        for (String place : places.text().split(",", -1)) {
            String folder = place.trim();
            if (folder.indexOf(':') < 0) {
                throw new WrongUsageException(places.from() + ": " + Printable.line(folder)
                        + " has no prefix and would be searched in this jar. Write " + FILESYSTEM
                        + Printable.line(folder));
            }
            boolean plain = folder.startsWith(FILESYSTEM) && folder.chars().noneMatch(c -> c == '*' || c == '?');
            if (plain && !Files.isDirectory(Path.of(folder.substring(FILESYSTEM.length())))) {
                throw new WrongUsageException(places.from() + ": there is no folder "
                        + Path.of(folder.substring(FILESYSTEM.length())).toAbsolutePath()
                        + ". Create it, or set --locations to the folder of the scripts");
            }
        }
    }
}
