package dev.r2dbcengine.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;

/**
 * What one unit of work allocates on the thread that subscribes it: the least of some counts by the virtual machine. For
 * drivers that answer at once, and one method a process: what the compiler leaves out depends on what ran before.
 *
 * <p>Arguments: the database, and a method of {@link UnitOfWorkBenchmark}.
 */
public final class Bytes {
    private static final int UNITS = 20_000;
    private static final int COUNTS = 40;

    private static volatile Object sink;

    private Bytes() {}

    /** See the class. */
    public static void main(String... args) throws Throwable {
        UnitState state = new UnitState();
        state.database = args[0];
        state.open();
        MethodHandle unit = unit(args[1]).bindTo(new UnitOfWorkBenchmark()).bindTo(state);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COUNTS; i++) {
            least = Math.min(least, run(unit));
        }
        System.out.println(args[0] + " " + args[1] + ": " + least + " bytes");
        System.exit(0);
    }

    private static MethodHandle unit(String name) throws ReflectiveOperationException {
        return MethodHandles.lookup().unreflect(UnitOfWorkBenchmark.class.getDeclaredMethod(name, UnitState.class));
    }

    private static long run(MethodHandle unit) throws Throwable {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < UNITS; i++) {
            sink = unit.invoke();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / UNITS;
    }
}
