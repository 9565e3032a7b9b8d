package dev.r2dbcengine.soak;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.h2.engine.Engine;

/**
 * The figures that must not grow, when nothing runs.
 *
 * @param heap bytes in use after garbage collections
 * @param threads names of threads that were started since and have not ended
 * @param connections physical ones, of all databases
 * @param databases names of in-memory databases of H2 that did not exist before
 */
record Figures(long heap, Collection<String> threads, int connections, Set<String> databases) {
    private static final int COLLECTIONS = 4;
    private static final double MEGABYTE = 1 << 20;

    /** The figures of the beginning. */
    record Before(Set<Thread> threads, Set<String> databases) {
        static Before now() {
            return new Before(Set.copyOf(Thread.getAllStackTraces().keySet()), inMemory());
        }

        Figures figures(int connections) {
            Set<String> more = new TreeSet<>(inMemory());
            more.removeAll(databases);
            return new Figures(leastHeap(), newThreads(), connections, more);
        }

        /**
         * Returns the threads without those that Reactor keeps for a minute after a blocking task, whose number varies.
         */
        private List<String> newThreads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(Predicate.not(threads::contains))
                    .map(Thread::getName)
                    .filter(name -> !name.startsWith("boundedElastic-"))
                    .sorted()
                    .toList();
        }
    }

    private static long leastHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Reads the number of databases by reflection, since H2 has no API for it. */
    private static Set<String> inMemory() {
        Map<?, ?> databases = Objects.requireNonNull((Map<?, ?>) Internals.read(Engine.class, "DATABASES", null));
        synchronized (databases) {
            Set<String> names = new HashSet<>();
            databases.keySet().forEach(name -> names.add(String.valueOf(name)));
            return names;
        }
    }

    static String head() {
        return "%-7s %9s %8s %12s %10s   %s".formatted("period", "heap MB", "threads", "connections", "databases", "");
    }

    String row(int period, Object operations) {
        return "%-7d %9.2f %8d %12d %10d   %s"
                .formatted(period, heap / MEGABYTE, threads.size(), connections, databases.size(), operations);
    }
}
