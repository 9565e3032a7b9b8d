package dev.r2dbcengine;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A listener that records its events. */
final class Recorder implements EngineListener {
    private final List<String> events;

    Recorder(List<String> events) {
        this.events = events;
    }

    @Override
    public void opened(String url, Duration duration) {
        events.add("opened " + url);
    }

    @Override
    public void openFailed(String url, Throwable failure) {
        events.add("openFailed " + url);
    }

    @Override
    public void settingsIgnored(String url, Set<String> settings) {
        events.add("settingsIgnored " + url + " " + new TreeSet<>(settings));
    }

    @Override
    public void databaseLost(String url) {
        events.add("databaseLost " + url);
    }

    @Override
    public void connectionsNotReturned(String url, int connections) {
        events.add("connectionsNotReturned " + url + " " + connections);
    }

    @Override
    public void openingNotAwaited(String url) {
        events.add("openingNotAwaited " + url);
    }

    @Override
    public void closeFailed(String url, Throwable failure) {
        events.add("closeFailed " + url + " " + failure.getMessage());
    }

    @Override
    public void evicted(String url) {
        events.add("evicted " + url);
    }

    @Override
    public void closed(String url) {
        events.add("closed " + url);
    }
}
