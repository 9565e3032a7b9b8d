package dev.r2dbcengine.cli;

import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rewrites messages of the library for the command line: {@code lockTimeout} becomes {@code --lock-timeout}. */
final class Wording {

    /** A method name, not part of a file name, and its argument. */
    private static final Pattern METHOD =
            Pattern.compile("(?<![\\w./\\\\-])([a-z]\\w*)(?:\\(([\\w.…]*)\\))?(?![\\w/=(])");

    private static final Pattern PLACEHOLDERS = Pattern.compile("placeholders\\(Map\\.of\\(\"([^\"]*)\", …\\)\\)");

    private static final Set<String> COMMANDS =
            Tasks.all().stream().map(Task::name).collect(Collectors.toUnmodifiableSet());

    private Wording() {}

    /** Replaces method names by flags and commands. */
    static String of(String message) {
        String flagged = PLACEHOLDERS.matcher(message).replaceAll(Options.PLACEHOLDER + " $1=…");
        return METHOD.matcher(flagged).replaceAll(found -> Matcher.quoteReplacement(replacement(found)));
    }

    private static String replacement(MatchResult found) {
        String name = found.group(1);
        String argument = found.group(2);
        boolean isMethod = argument != null || !name.equals(name.toLowerCase(Locale.ROOT));
        if (!isMethod || COMMANDS.contains(name)) {
            return name;
        }
        return RunSetting.all()
                .filter(setting -> setting.method().equals(name))
                .flatMap(setting -> setting.flags().stream())
                .findFirst()
                .map(flag -> argument == null ? flag : flag + " " + argument.toLowerCase(Locale.ROOT))
                .orElseGet(found::group);
    }
}
