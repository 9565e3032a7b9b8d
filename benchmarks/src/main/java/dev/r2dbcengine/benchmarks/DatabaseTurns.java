package dev.r2dbcengine.benchmarks;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs the methods of a benchmark class alternately on a real database, in one process. One measurement is as many
 * calls as the base makes in 20 ms.
 */
record DatabaseTurns(Run run, Class<?> benchmark, String database) {
    private static final long TURN_NANOS = 20_000_000;

    /** Runs the works whose name matches a regular expression. */
    void run(String only) throws Exception {
        UnitState state = new UnitState();
        state.database = database;
        state.open();
        for (Workload workload : Workload.of(benchmark, database)) {
            if (workload.name().matches(only)) {
                measure(workload, state);
            }
        }
    }

    private void measure(Workload workload, UnitState state) throws Exception {
        Object instance = benchmark.getConstructor().newInstance();
        int times = run.effort().isWarm() ? times(call(workload.methods().get(0), instance, state)) : 1;
        Map<String, Turns.Turn> peers = new LinkedHashMap<>();
        for (Method method : workload.methods()) {
            peers.put(Workload.peer(method).by(), () -> {
                Map<String, Double> taken = Turns.nanos(times, call(method, instance, state));
                state.empty();
                return taken;
            });
        }
        new Turns(run, database, true).measure(workload.name(), workload.base(), peers);
    }

    private static Turns.Task call(Method method, Object instance, UnitState state) {
        return () -> method.invoke(instance, state);
    }

    /** Measures after a warm-up of the same length, since the first calls are not representative. */
    private static int times(Turns.Task task) throws Exception {
        calls(task);
        return Math.max(1, calls(task) / 10);
    }

    private static int calls(Turns.Task task) throws Exception {
        int calls = 0;
        for (long end = System.nanoTime() + 10 * TURN_NANOS; System.nanoTime() < end; calls++) {
            task.run();
        }
        return calls;
    }
}
