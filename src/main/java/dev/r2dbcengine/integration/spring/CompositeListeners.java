package dev.r2dbcengine.integration.spring;

import dev.r2dbcengine.AcquisitionListener;
import dev.r2dbcengine.EngineListener;
import dev.r2dbcengine.migrate.MigrationListener;
import dev.r2dbcengine.sql.SqlExecution;
import dev.r2dbcengine.sql.SqlListener;
import dev.r2dbcengine.work.WorkExecution;
import dev.r2dbcengine.work.WorkListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Combines the listener beans of a type into one listener that delegates to all of them. */
final class CompositeListeners {

    /** The listener types. */
    static final List<Class<?>> KINDS = List.of(
            EngineListener.class,
            AcquisitionListener.class,
            SqlListener.class,
            WorkListener.class,
            MigrationListener.class);

    private CompositeListeners() {}

    /** Returns the only bean, or a proxy that delegates to several; empty if there is none. */
    static <T> Optional<T> of(Class<T> kind, List<T> beans) {
        return beans.size() < 2 ? beans.stream().findFirst() : Optional.of(all(kind, beans));
    }

    private static <T> T all(Class<T> kind, List<?> beans) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(),
                new Class<?>[] {kind},
                (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? ofItself(proxy, method, arguments)
                        : notifyListeners(beans, method, arguments)));
    }

    /* Implements the methods of Object; a proxy equals only itself. */
    private static @Nullable Object ofItself(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "all listeners";
        };
    }

    /* Calls every listener, even if one throws; then rethrows the first exception. */
    private static @Nullable Object notifyListeners(List<?> beans, Method event, Object @Nullable [] arguments)
            throws Throwable {
        List<Object> results = new ArrayList<>();
        Throwable thrown = null;
        for (Object bean : beans) {
            try {
                Object result = event.invoke(bean, arguments);
                if (result != null) {
                    results.add(result);
                }
            } catch (InvocationTargetException e) {
                thrown = thrown == null ? e.getCause() : thrown;
            }
        }
        if (thrown != null) {
            throw thrown;
        }
        return merged(event.getReturnType(), arguments, results);
    }

    /* Merges returned Contexts into one, and returned listeners into a composite. */
    private static @Nullable Object merged(Class<?> type, Object @Nullable [] arguments, List<Object> results) {
        if (arguments != null && ContextView.class.isAssignableFrom(type)) {
            return mergedContext(arguments[0], results);
        }
        return results.size() < 2 ? results.stream().findFirst().orElse(null) : all(type, results);
    }

    /* Takes only the entries that a listener has changed: another one may have changed the rest. */
    private static Context mergedContext(Object execution, List<Object> results) {
        ContextView own =
                execution instanceof WorkExecution unit ? unit.context() : ((SqlExecution) execution).context();
        Map<Object, Object> changed = new HashMap<>();
        for (Object result : results) {
            ((ContextView) result)
                    .stream()
                            .filter(entry -> entry.getValue() != own.getOrDefault(entry.getKey(), null))
                            .forEach(entry -> changed.put(entry.getKey(), entry.getValue()));
        }
        return Context.of(own).putAllMap(changed);
    }
}
