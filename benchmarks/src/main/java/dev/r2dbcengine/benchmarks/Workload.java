package dev.r2dbcengine.benchmarks;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The methods of a benchmark that do the same work.
 *
 * @param name of the work
 * @param methods of the peers, the base first
 */
record Workload(String name, List<Method> methods) {

    /** Returns all works of a class on a database, by name. */
    static List<Workload> of(Class<?> benchmark, String database) {
        Map<String, List<Method>> all = methods(benchmark)
                .filter(method -> database.matches(peer(method).on()))
                .sorted(Comparator.comparing(method -> !peer(method).base()))
                .collect(Collectors.groupingBy(method -> peer(method).of(), TreeMap::new, Collectors.toList()));
        return all.entrySet().stream()
                .map(entry -> new Workload(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Stream<Method> methods(Class<?> benchmark) {
        return Arrays.stream(benchmark.getMethods()).filter(method -> method.isAnnotationPresent(Peer.class));
    }

    static Peer peer(Method method) {
        return method.getAnnotation(Peer.class);
    }

    /** Returns the name of the base; empty without one. */
    String base() {
        Peer first = peer(methods.get(0));
        return first.base() ? first.by() : "";
    }
}
