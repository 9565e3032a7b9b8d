package dev.r2dbcengine.testing;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.lang.invoke.MethodHandles;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.pool.TypePool;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import reactor.test.StepVerifier;

/**
 * Makes StepVerifier sleep while it waits. It polls every 10 nanoseconds, which takes a whole core from the database
 * that it waits for (reactor-core#4054); every 10 microseconds is sufficient.
 */
public final class PatientStepVerifier implements LauncherSessionListener {
    private static final AtomicBoolean LOADED = new AtomicBoolean();

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (LOADED.compareAndSet(false, true)) {
            load();
        }
    }

    /* Before the class is loaded. */
    private static void load() {
        ClassLoader loader = StepVerifier.class.getClassLoader();
        TypePool types = TypePool.Default.of(loader);
        try {
            new ByteBuddy()
                    .redefine(
                            types.describe("reactor.test.DefaultStepVerifierBuilder$DefaultVerifySubscriber")
                                    .resolve(),
                            ClassFileLocator.ForClassLoader.of(loader))
                    .visit(MemberSubstitution.relaxed()
                            .field(named("NANOSECONDS"))
                            .replaceWith(TimeUnit.class.getField("MICROSECONDS"))
                            .on(named("pollTaskEventOrComplete")))
                    .make()
                    .load(
                            loader,
                            ClassLoadingStrategy.UsingLookup.of(
                                    MethodHandles.privateLookupIn(StepVerifier.class, MethodHandles.lookup())));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
