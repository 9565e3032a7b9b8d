package dev.r2dbcengine.benchmarks;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs a benchmark class with JMH, in rounds: each round runs each method once in its own process, one peer after
 * another, so a disturbance of the machine affects all peers. The best iteration of a round counts, since other
 * processes on a shared machine only add time.
 */
record Forks(Run run, Class<?> benchmark, String database) {
    /** JMH omits benchmarks that have failed. */
    void run(int threads) throws RunnerException {
        for (int round = 0; round < run.effort().rounds; round++) {
            Collection<RunResult> results = new Runner(options(threads).build()).run();
            for (Workload workload : Workload.of(benchmark, database)) {
                for (Method method : workload.methods()) {
                    if (!add(workload, method, results, round)) {
                        run.failed().add(method.getName() + " on " + database);
                    }
                }
            }
        }
    }

    private boolean add(Workload workload, Method method, Collection<RunResult> results, int round) {
        List<RunResult> its = results.stream()
                .filter(result -> result.getParams().getBenchmark().equals(name(method)))
                .toList();
        its.forEach(result -> add(workload, method, result, round));
        return !its.isEmpty();
    }

    private ChainedOptionsBuilder options(int threads) {
        Effort effort = run.effort();
        ChainedOptionsBuilder options = new OptionsBuilder()
                .param("database", database)
                .threads(threads)
                .forks(effort.forks)
                .warmupForks(0)
                .warmupIterations(effort.isWarm() ? effort.iterations : 0)
                .warmupTime(TimeValue.milliseconds(effort.warmupMillis))
                .measurementIterations(effort.iterations)
                .measurementTime(TimeValue.milliseconds(effort.iterationMillis))
                .timeUnit(TimeUnit.NANOSECONDS)
                .timeout(TimeValue.seconds(60))
                .jvmArgs("-Xmx2g")
                .addProfiler(GCProfiler.class);
        Workload.of(benchmark, database).stream()
                .flatMap(workload -> workload.methods().stream())
                .forEach(method -> options.include("^" + name(method).replace(".", "\\.") + "$"));
        return options;
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    private void add(Workload workload, Method method, RunResult result, int round) {
        BenchmarkParams params = result.getParams();
        Run.Peers peers = peers(params, workload);
        String peer = Workload.peer(method).by();
        double nanos = result.getPrimaryResult().getStatistics().getMin();
        String megabytes = parameters(params).get("megabytes");
        if (megabytes == null) {
            run.add(peers, peer, "ns", round, nanos);
            run.add(peers, peer, "B", round, bytes(result));
        } else {
            run.add(peers, peer, "MB/s", round, Double.parseDouble(megabytes) * 1e9 / nanos);
        }
    }

    private static Run.Peers peers(BenchmarkParams params, Workload workload) {
        String work = workload.name();
        for (Map.Entry<String, String> parameter : parameters(params).entrySet()) {
            work = work.replace("{" + parameter.getKey() + "}", parameter.getValue());
        }
        String threads = params.getThreads() == 1 ? "" : " with " + params.getThreads() + " threads";
        return new Run.Peers(work, params.getParam("database") + threads, workload.base());
    }

    private static Map<String, String> parameters(BenchmarkParams params) {
        Map<String, String> parameters = new LinkedHashMap<>();
        params.getParamsKeys().forEach(key -> parameters.put(key, params.getParam(key)));
        return parameters;
    }

    private static double bytes(RunResult result) {
        Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return bytes.getStatistics().getMin();
    }
}
