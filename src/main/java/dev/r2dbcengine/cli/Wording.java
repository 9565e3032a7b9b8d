package dev.r2dbcengine.cli;

import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the library calls by its methods, by flags and commands: {@code lockTimeout}, {@code mixed(true)}, {@code repair()}. */
final class Wording {

    /** A name, not of a file, and what it is called with. */
    private static final Pattern METHOD =
            Pattern.compile("(?<![\\w./\\\\-])([a-z]\\w*)(?:\\(([\\w.…]*)\\))?(?![\\w/=(])");

    private static final Pattern PLACEHOLDERS = Pattern.compile("placeholders\\(Map\\.of\\(\"([^\"]*)\", …\\)\\)");

    private static final Set<String> COMMANDS =
            Tasks.all().stream().map(Task::name).collect(Collectors.toUnmodifiableSet());

    private Wording() {}

    static String of(String message) {
        String flagged = PLACEHOLDERS.matcher(message).replaceAll(Options.PLACEHOLDER + " $1=…");
        return METHOD.matcher(flagged).replaceAll(found -> Matcher.quoteReplacement(spoken(found)));
    }

    private static String spoken(MatchResult found) {
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
