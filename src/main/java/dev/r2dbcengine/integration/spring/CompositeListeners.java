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

/** One listener for all beans of a kind. */
final class CompositeListeners {

    /** The kinds. */
    static final List<Class<?>> KINDS = List.of(
            EngineListener.class,
            AcquisitionListener.class,
            SqlListener.class,
            WorkListener.class,
            MigrationListener.class);

    private CompositeListeners() {}

    /** Empty when there is none; one that stands for all when there are several. */
    static <T> Optional<T> of(Class<T> kind, List<T> beans) {
        return beans.size() < 2 ? beans.stream().findFirst() : Optional.of(all(kind, beans));
    }

    private static <T> T all(Class<T> kind, List<?> beans) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(),
                new Class<?>[] {kind},
                (proxy, method, arguments) -> method.getDeclaringClass() == Object.class
                        ? ofItself(proxy, method, arguments)
                        : tell(beans, method, arguments)));
    }

    /* Equal only to itself. */
    private static @Nullable Object ofItself(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "all listeners";
        };
    }

    /* One that throws keeps nobody else from being told. */
    private static @Nullable Object tell(List<?> beans, Method event, Object @Nullable [] arguments) throws Throwable {
        List<Object> answers = new ArrayList<>();
        Throwable thrown = null;
        for (Object bean : beans) {
            try {
                Object answer = event.invoke(bean, arguments);
                if (answer != null) {
                    answers.add(answer);
                }
            } catch (InvocationTargetException e) {
                thrown = thrown == null ? e.getCause() : thrown;
            }
        }
        if (thrown != null) {
            throw thrown;
        }
        return merged(event.getReturnType(), arguments, answers);
    }

    /* Whoever is to be told of what follows is told of it with the others. */
    private static @Nullable Object merged(Class<?> type, Object @Nullable [] arguments, List<Object> answers) {
        if (arguments != null && ContextView.class.isAssignableFrom(type)) {
            return entered(arguments[0], answers);
        }
        return answers.size() < 2 ? answers.stream().findFirst().orElse(null) : all(type, answers);
    }

    /* With what each has put into the Context: what it has left there, another may have changed. */
    private static Context entered(Object execution, List<Object> answers) {
        ContextView own =
                execution instanceof WorkExecution unit ? unit.context() : ((SqlExecution) execution).context();
        Map<Object, Object> put = new HashMap<>();
        for (Object answer : answers) {
            ((ContextView) answer)
                    .stream()
                            .filter(entry -> entry.getValue() != own.getOrDefault(entry.getKey(), null))
                            .forEach(entry -> put.put(entry.getKey(), entry.getValue()));
        }
        return Context.of(own).putAllMap(put);
    }
}
